import Data.List (nub, sort)

main :: IO ()
main = do
  text <- getContents
  let (n : numbers) = map read (words text) :: [Int]
      a = sort numbers
      total = sum (zipWith (\i x -> x * (i `mod` 7)) [0 ..] a)
  putStrLn (unwords (map show [total, length (nub a), a !! (n `div` 2)]))
