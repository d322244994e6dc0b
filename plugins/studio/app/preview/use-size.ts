import { useLayoutEffect, useState } from 'preact/hooks'
import type { Size } from './fitted.ts'

/** The current size of an element; `shown` names what has to be there for the element. */
export function useSize(element: { readonly current: HTMLElement | null }, shown?: string): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {}
      if (width > 0) setSize({ width, height })
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [shown === undefined])
  return size
}
