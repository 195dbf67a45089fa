# Four threads take numbers off a queue and put what they make of them into a list, in the order in which they happen to.
import queue
import threading


def work(x):
    for _ in range(2000):
        x = (x * 1103515245 + 12345) % 2147483648
    return x


numbers = queue.Queue(8)
lock = threading.Lock()
total = 0
order = []


def take(me):
    global total
    while (n := numbers.get()) is not None:
        made = work(n)
        with lock:
            total += made
            order.append(me)


threads = [threading.Thread(target=take, args=(me,)) for me in "abcd"]
for thread in threads:
    thread.start()
for n in range(100):
    numbers.put(n)
for _ in threads:
    numbers.put(None)
for thread in threads:
    thread.join()
print(total, len(order), "".join(order))
