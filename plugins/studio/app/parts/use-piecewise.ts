import { useEffect, useState } from 'preact/hooks'

const pieceSize = 100

/** Returns how many of the rows of a long list are to be rendered: more after each paint, until all are. */
export function usePiecewise(length: number): number {
  const [count, setCount] = useState(pieceSize)
  useEffect(() => {
    if (count >= length) return undefined
    const timer = setTimeout(() => setCount(count + pieceSize))
    return () => clearTimeout(timer)
  }, [count, length])
  return count
}
