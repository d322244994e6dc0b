import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly label: string
  readonly look?: 'wide'
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A panel above the page, which keeps the focus in it, and returns it afterwards. */
export function Dialog({ label, look, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    element.current?.showModal()
    // The browser returns the focus from a dialog that closes, but not from one that goes.
    return () => {
      const isLost = document.activeElement === document.body || document.activeElement === null
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const close = (event: Event): void => void (event.target === element.current && element.current?.close())
  return (
    <dialog ref={element} class={`dialog ${look ?? ''}`} aria-label={label} onClose={onClose} onClick={close}>
      {children}
    </dialog>
  )
}
