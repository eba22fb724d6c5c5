set terminal svg size 900,560 dynamic noenhanced background '#ffffff' font 'sans-serif,14'
set output 'pareto-saxpy.svg'
set datafile separator comma
set datafile missing 'NaN'
set tmargin 5
set label 1 'saxpy: what is worth its cost' at screen 0.5,0.955 center font 'sans-serif,17'
set label 2 'cost = sm.count' at screen 0.5,0.905 center font 'sans-serif,12' textcolor rgb '#606060'
set grid linecolor rgb '#dddddd' linewidth 1
set border 3 linecolor rgb '#808080'
set tics nomirror
set key outside right top vertical Left reverse samplen 2
set xlabel 'cost'
set ylabel 'time_us'
set offsets graph 0.03, graph 0.03, graph 0.03, graph 0.05
plot 'pareto-saxpy.dat' index 0 using 1:2 with steps linewidth 2.5 linecolor rgb '#000000' notitle, \
  'pareto-saxpy.dat' index 1 using 1:2 with points pointtype 7 pointsize 0.9 linecolor rgb '#0072B2' title 'dram-bound', \
  'pareto-saxpy.dat' index 2 using 1:2 with points pointtype 5 pointsize 0.9 linecolor rgb '#D55E00' title 'tensor-bound', \
  NaN with lines linewidth 2.5 linecolor rgb '#000000' title 'worth its cost: sm.count / dram.bandwidth', \
  NaN with lines linecolor rgb '#ffffff' title '1: 10 / 1 TB/s (3 equal)', \
  NaN with lines linecolor rgb '#ffffff' title '2: 20 / 1 TB/s (3 equal)', \
  NaN with lines linecolor rgb '#ffffff' title '3: 40 / 2 TB/s (2 equal)', \
  NaN with lines linecolor rgb '#ffffff' title '4: 80 / 4 TB/s', \
  'pareto-saxpy.dat' index 3 using 1:2:3 with labels right offset -0.5,-0.7 font 'sans-serif,12' notitle
