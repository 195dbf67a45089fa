n, *a = STDIN.read.split.map(&:to_i)
different = a.uniq.size
a.sort!
sum = a.each_with_index.sum { |x, i| x * (i % 7) }
puts "#{sum} #{different} #{a[n / 2]}"
