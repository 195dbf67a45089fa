; Four threads take numbers off a counter and put what they make of them into a list, in the order in which they happen to.
(defvar *lock* (sb-thread:make-mutex))
(defvar *next* 0)
(defvar *total* 0)
(defvar *order* '())

(defun work (x)
  (declare (type (unsigned-byte 62) x) (optimize speed))
  (dotimes (i 2000 x) (setf x (mod (+ (* x 1103515245) 12345) 2147483648))))

(defun take (me)
  (loop
    (let ((n (sb-thread:with-mutex (*lock*) (prog1 *next* (incf *next*)))))
      (when (>= n 100) (return))
      (let ((made (work n)))
        (sb-thread:with-mutex (*lock*)
          (incf *total* made)
          (push me *order*)))
      (sb-thread:thread-yield))))

(let ((threads (loop for me across "abcd" collect (let ((me me)) (sb-thread:make-thread (lambda () (take me)))))))
  (mapc #'sb-thread:join-thread threads))
(format t "~d ~d ~a~%" *total* (length *order*) (coerce (reverse *order*) 'string))
