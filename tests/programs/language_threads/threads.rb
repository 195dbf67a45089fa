# Four threads take numbers off a queue and put what they make of them into a list, in the order in which they happen to.
def work(x)
  2000.times { x = (x * 1103515245 + 12345) % 2147483648 }
  x
end

queue = SizedQueue.new(8)
mutex = Mutex.new
total = 0
order = +''
threads = ('a'..'d').map do |me|
  Thread.new do
    while (n = queue.pop)
      made = work(n)
      mutex.synchronize do
        total += made
        order << me
      end
    end
  end
end
100.times { |n| queue.push(n) }
4.times { queue.push(nil) }
threads.each(&:join)
puts "#{total} #{order.size} #{order}"
