import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly label: string
  readonly variant?: 'wide'
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A panel above the page, which keeps the focus in it, and returns it afterwards. */
export function Dialog({ label, variant, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  // At once: the next key is for the dialog.
  useLayoutEffect(() => {
    const shown = element.current
    shown?.showModal()
    // The browser returns the focus from a dialog that closes, but not from one that goes.
    return () => shown?.close()
  }, [])
  // The browser says late that it closed a dialog; what is pressed meanwhile would find one that counts as open.
  const close = ({ target }: Event): void => void (target === element.current && onClose())
  return (
    <dialog
      ref={element}
      class={`dialog ${variant ?? ''}`}
      aria-label={label}
      onCancel={close}
      onClose={close}
      onClick={close}
    >
      {children}
    </dialog>
  )
}
