set terminal svg size 900,560 dynamic noenhanced background '#ffffff' font 'sans-serif,14'
set output 'scaling-saxpy-h100-sm.count.svg'
set datafile separator comma
set datafile missing 'NaN'
set tmargin 5
set label 1 'saxpy on h100: what sm.count buys' at screen 0.5,0.955 center font 'sans-serif,17'
set grid linecolor rgb '#dddddd' linewidth 1
set border 3 linecolor rgb '#808080'
set tics nomirror
set key outside right top vertical Left reverse samplen 2
set xlabel 'sm.count'
set xrange [9.8:81.6]
set logscale x 2
set xtics ('10' 10, '20' 20, '40' 40, '80' 80)
set ylabel 'speed-up over the slowest point (time_us)'
set logscale y 2
plot 'scaling-saxpy-h100-sm.count.dat' index 0 using 1:2 with lines linewidth 2.5 linecolor rgb '#0072B2' title 'dram.bandwidth=1 TB/s', \
  'scaling-saxpy-h100-sm.count.dat' index 0 using 1:2:3 with points pointtype variable pointsize 1 linecolor rgb '#0072B2' notitle, \
  'scaling-saxpy-h100-sm.count.dat' index 1 using 1:2 with lines linewidth 2.5 linecolor rgb '#D55E00' title 'dram.bandwidth=2 TB/s', \
  'scaling-saxpy-h100-sm.count.dat' index 1 using 1:2:3 with points pointtype variable pointsize 1 linecolor rgb '#D55E00' notitle, \
  'scaling-saxpy-h100-sm.count.dat' index 2 using 1:2 with lines linewidth 2.5 linecolor rgb '#009E73' title 'dram.bandwidth=4 TB/s', \
  'scaling-saxpy-h100-sm.count.dat' index 2 using 1:2:3 with points pointtype variable pointsize 1 linecolor rgb '#009E73' notitle, \
  NaN with points pointtype 7 pointsize 0.8 linecolor rgb '#606060' title 'tensor-bound', \
  NaN with points pointtype 5 pointsize 0.8 linecolor rgb '#606060' title 'dram-bound'
