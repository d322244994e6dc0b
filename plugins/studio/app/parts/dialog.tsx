import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly label: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A panel above the page. The browser keeps the focus in it, and returns it afterwards. */
export function Dialog({ label, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => element.current?.showModal(), [])
  const close = (event: Event): void => void (event.target === element.current && element.current?.close())
  return (
    <dialog ref={element} class="dialog" aria-label={label} onClose={onClose} onClick={close}>
      {children}
    </dialog>
  )
}
