set terminal svg size 900,560 dynamic noenhanced background '#ffffff' font 'sans-serif,14'
set output 'scaling-saxpy-h100-dram.bandwidth.svg'
set datafile separator comma
set datafile missing 'NaN'
set tmargin 5
set label 1 'saxpy on h100: what dram.bandwidth buys' at screen 0.5,0.955 center font 'sans-serif,17'
set grid linecolor rgb '#dddddd' linewidth 1
set border 3 linecolor rgb '#808080'
set tics nomirror
set key outside right top vertical Left reverse samplen 2
set xlabel 'dram.bandwidth [TB/s]'
set xrange [0.94:4.06]
set xtics ('1' 1, '2' 2, '4' 4)
set ylabel 'speed-up over the slowest point (time_us)'
set yrange [0:*]
plot 'scaling-saxpy-h100-dram.bandwidth.dat' index 0 using 1:2 with lines linewidth 2.5 linecolor rgb '#0072B2' title 'sm.count=10', \
  'scaling-saxpy-h100-dram.bandwidth.dat' index 0 using 1:2:3 with points pointtype variable pointsize 1 linecolor rgb '#0072B2' notitle, \
  'scaling-saxpy-h100-dram.bandwidth.dat' index 1 using 1:2 with lines linewidth 2.5 linecolor rgb '#D55E00' title 'sm.count=20', \
  'scaling-saxpy-h100-dram.bandwidth.dat' index 1 using 1:2:3 with points pointtype variable pointsize 1 linecolor rgb '#D55E00' notitle, \
  'scaling-saxpy-h100-dram.bandwidth.dat' index 2 using 1:2 with lines linewidth 2.5 linecolor rgb '#009E73' title 'sm.count=40', \
  'scaling-saxpy-h100-dram.bandwidth.dat' index 2 using 1:2:3 with points pointtype variable pointsize 1 linecolor rgb '#009E73' notitle, \
  'scaling-saxpy-h100-dram.bandwidth.dat' index 3 using 1:2 with lines linewidth 2.5 linecolor rgb '#CC79A7' title 'sm.count=80', \
  'scaling-saxpy-h100-dram.bandwidth.dat' index 3 using 1:2:3 with points pointtype variable pointsize 1 linecolor rgb '#CC79A7' notitle, \
  NaN with points pointtype 7 pointsize 0.8 linecolor rgb '#606060' title 'tensor-bound', \
  NaN with points pointtype 5 pointsize 0.8 linecolor rgb '#606060' title 'dram-bound'
