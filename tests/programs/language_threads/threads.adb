--  Four tasks take numbers off a counter and put what they make of them into a list, in the order in which they happen to.
with Ada.Text_IO; use Ada.Text_IO;

procedure Threads is
   type Long is range -2 ** 63 .. 2 ** 63 - 1;

   protected State is
      procedure Take (N : out Integer);
      procedure Add (Made : Long; Me : Character);
      function Total return Long;
      function Order return String;
   private
      Next  : Integer := 0;
      Sum   : Long := 0;
      Count : Natural := 0;
      List  : String (1 .. 100);
   end State;

   protected body State is
      procedure Take (N : out Integer) is
      begin
         N := Next;
         Next := Next + 1;
      end Take;
      procedure Add (Made : Long; Me : Character) is
      begin
         Sum := Sum + Made;
         Count := Count + 1;
         List (Count) := Me;
      end Add;
      function Total return Long is (Sum);
      function Order return String is (List (1 .. Count));
   end State;

   function Work (Seed : Integer) return Long is
      X : Long := Long (Seed);
   begin
      for I in 1 .. 2000 loop
         X := (X * 1103515245 + 12345) mod 2147483648;
      end loop;
      return X;
   end Work;

   task type Taker (Me : Character);
   task body Taker is
      N : Integer;
   begin
      loop
         State.Take (N);
         exit when N >= 100;
         State.Add (Work (N), Me);
         delay 0.0;
      end loop;
   end Taker;
begin
   declare
      A : Taker ('a');
      B : Taker ('b');
      C : Taker ('c');
      D : Taker ('d');
   begin
      null;
   end;
   Put_Line (Long'Image (State.Total) & Integer'Image (State.Order'Length) & " " & State.Order);
end Threads;
