import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Permission } from '../stores/access.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmProps {
  readonly label: string
  readonly title: string
  /** The answer that does it. */
  readonly yes: string
  /** The answer that changes nothing; it has the focus if it is named. */
  readonly no?: string
  readonly needs: Permission
  readonly children: ComponentChildren
  readonly onYes: () => void
  readonly onClose: () => void
}

/** A panel that asks before something is done. */
export function Confirm({ label, title, yes, no, needs, children, onYes, onClose }: ConfirmProps) {
  const confirm = (): void => {
    onClose()
    onYes()
  }
  return (
    <Dialog label={label} onClose={onClose}>
      <div class="fields">
        <h2>{title}</h2>
        {children}
        <Button variant="main" needs={needs} onClick={confirm}>
          {yes}
        </Button>
        <Button autofocus={no !== undefined} onClick={onClose}>
          {no ?? 'Close'}
        </Button>
      </div>
    </Dialog>
  )
}

interface QuestionProps extends Pick<ConfirmProps, 'label' | 'needs' | 'onYes'> {
  readonly title?: string
  /** What will happen. */
  readonly children: ComponentChildren
}

/** A button that asks before it does what cannot be undone. */
export function Question({ label, title, needs, children, onYes }: QuestionProps) {
  const [isConfirming, setConfirming] = useState(false)
  const close = (): void => setConfirming(false)
  return (
    <>
      <Button needs={needs} title={title} onClick={() => setConfirming(true)}>
        {label}
      </Button>
      {isConfirming && (
        <Confirm label={label} title={`${label}?`} yes={label} needs={needs} onYes={onYes} onClose={close}>
          <p>{children}</p>
        </Confirm>
      )}
    </>
  )
}
