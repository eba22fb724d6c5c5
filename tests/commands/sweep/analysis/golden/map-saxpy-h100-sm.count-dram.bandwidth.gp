set terminal svg size 900,560 dynamic noenhanced background '#ffffff' font 'sans-serif,14'
set output 'map-saxpy-h100-sm.count-dram.bandwidth.svg'
set datafile separator comma
set datafile missing 'NaN'
set tmargin 5
set label 1 'saxpy on h100: time_us and what bounds it' at screen 0.5,0.955 center font 'sans-serif,17'
set grid linecolor rgb '#dddddd' linewidth 1
set border 3 linecolor rgb '#808080'
set tics nomirror
set key outside right top vertical Left reverse samplen 2
set xlabel 'sm.count'
set xtics ('10' 0, '20' 1, '40' 2, '80' 3)
set xrange [-0.5:3.5]
set ylabel 'dram.bandwidth'
set ytics ('1 TB/s' 0, '2 TB/s' 1, '4 TB/s' 2)
set yrange [-0.5:2.5]
set palette defined (0 '#440154', 1 '#472d7b', 2 '#3b528b', 3 '#2c728e', 4 '#21918c', 5 '#28ae80', 6 '#5ec962', 7 '#addc30', 8 '#fde725')
set cblabel 'speed-up over the slowest point'
set cbrange [1:*]
unset key
unset grid
plot 'map-saxpy-h100-sm.count-dram.bandwidth.dat' using 1:2:(0.5):(0.5):3 with boxxyerror fillstyle solid 1.0 border linecolor rgb '#ffffff' linecolor palette, \
  'map-saxpy-h100-sm.count-dram.bandwidth.dat' using 1:2:5:4 with labels offset 0,0.45 font 'sans-serif,11' textcolor rgb variable, \
  'map-saxpy-h100-sm.count-dram.bandwidth.dat' using 1:2:6:4 with labels offset 0,-0.45 font 'sans-serif,11' textcolor rgb variable
