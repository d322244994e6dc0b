import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Permission } from '../stores/access.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface QuestionProps {
  readonly label: string
  readonly title?: string
  readonly needs: Permission
  /** What will happen. */
  readonly children: ComponentChildren
  readonly onYes: () => void
}

/** A button that asks before it does what cannot be undone. */
export function Question({ label, title, needs, children, onYes }: QuestionProps) {
  const [isAsked, setAsked] = useState(false)
  const close = (): void => setAsked(false)
  const yes = (): void => {
    close()
    onYes()
  }
  return (
    <>
      <Button needs={needs} title={title} onClick={() => setAsked(true)}>
        {label}
      </Button>
      {isAsked && (
        <Dialog label={label} onClose={close}>
          <div class="fields">
            <h2>{label}?</h2>
            <p>{children}</p>
            <Button look="main" onClick={yes}>
              {label}
            </Button>
            <Button onClick={close}>Close</Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
