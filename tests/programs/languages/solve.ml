let () =
  Scanf.scanf " %d" (fun n ->
      let a = Array.init n (fun _ -> Scanf.scanf " %d" (fun x -> x)) in
      let seen = Hashtbl.create 16 in
      Array.iter (fun x -> Hashtbl.replace seen x ()) a;
      Array.sort compare a;
      let sum = ref 0 in
      Array.iteri (fun i x -> sum := !sum + (x * (i mod 7))) a;
      Printf.printf "%d %d %d\n" !sum (Hashtbl.length seen) a.(n / 2))
