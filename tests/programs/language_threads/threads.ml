(* Four threads take numbers off a counter and put what they make of them into a list, in the order in which they happen to. *)
let lock = Mutex.create ()
let next = ref 0
let total = ref 0
let order = Buffer.create 100

let work seed =
  let x = ref seed in
  for _ = 1 to 2000 do
    x := ((!x * 1103515245) + 12345) mod 2147483648
  done;
  !x

let locked f =
  Mutex.lock lock;
  let result = f () in
  Mutex.unlock lock;
  result

let rec take me =
  let n = locked (fun () -> let n = !next in incr next; n) in
  if n < 100 then begin
    let made = work n in
    locked (fun () -> total := !total + made; Buffer.add_char order me);
    Thread.yield ();
    take me
  end

let () =
  List.iter Thread.join (List.map (Thread.create take) [ 'a'; 'b'; 'c'; 'd' ]);
  Printf.printf "%d %d %s\n" !total (Buffer.length order) (Buffer.contents order)
