; Four threads take numbers off a counter and put what they make of them into a list, in the order in which they happen to.
(use-modules (ice-9 threads))
(define lock (make-mutex))
(define next 0)
(define total 0)
(define order '())

(define (work seed)
  (let loop ((i 0) (x seed))
    (if (= i 2000) x (loop (+ i 1) (modulo (+ (* x 1103515245) 12345) 2147483648)))))

(define (take me)
  (let ((n (with-mutex lock (let ((n next)) (set! next (+ n 1)) n))))
    (when (< n 100)
      (let ((made (work n)))
        (with-mutex lock
          (set! total (+ total made))
          (set! order (cons me order))))
      (yield)
      (take me))))

(for-each join-thread (map (lambda (me) (call-with-new-thread (lambda () (take me)))) '(#\a #\b #\c #\d)))
(format #t "~a ~a ~a~%" total (length order) (list->string (reverse order)))
