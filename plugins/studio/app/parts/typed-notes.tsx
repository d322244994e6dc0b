import { isAlone } from '../stores/presence.ts'
import { wordsOf } from '../stores/words.ts'
import { Button } from './button.tsx'
import type { UseTyped } from './use-typed.ts'

/** A time; one of today without its day. */
export function clockOf(at: string): string {
  const date = new Date(at)
  const isToday = date.toDateString() === new Date().toDateString()
  const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const)
  return date.toLocaleString('en', { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}

const Text = ({ value }: { readonly value: unknown }) => (
  <blockquote dir="auto">{wordsOf(value) || '(empty)'}</blockquote>
)

/** What is to be said about what is typed: why it is not stored, and the other texts beside it. */
export function TypedNotes<T>({
  bound: { value, failure, conflict, unsaved, decide },
}: {
  readonly bound: Pick<UseTyped<T>, 'value' | 'failure' | 'conflict' | 'unsaved' | 'decide'>
}) {
  // The buttons go, and the focus with them.
  const keepFocus = ({
    target,
    currentTarget,
  }: {
    readonly target: EventTarget | null
    currentTarget: Element
  }): void => {
    const field = currentTarget.closest('.field')
    if (!(target instanceof Element) || !target.closest('button')) return
    requestAnimationFrame(() =>
      field?.querySelector<HTMLElement>('input, textarea, select, [contenteditable]')?.focus(),
    )
  }
  return (
    <div class="notes" onClick={keepFocus}>
      {failure !== undefined && (
        <p class="failure" role="alert">
          {failure}
        </p>
      )}
      {conflict && (
        <div class="conflict stack" role="alert">
          <p>
            {isAlone.value
              ? 'You changed this in another window meanwhile. The page shows:'
              : 'This was changed elsewhere meanwhile. The page shows:'}
          </p>
          <Text value={conflict.theirs} />
          <Button onClick={() => decide(value)}>Keep mine</Button>
          <Button onClick={() => decide(conflict.theirs)}>
            {isAlone.value ? 'Keep the other' : 'Keep theirs'}
          </Button>
        </div>
      )}
      {unsaved && (
        <div class="conflict stack" role="group" aria-label="Unsaved text">
          <p>
            You typed this at {clockOf(unsaved.at)}. It was not saved
            {unsaved.isOld && ', and the field has changed since'}:
          </p>
          <Text value={unsaved.value} />
          <Button onClick={unsaved.use}>Use this text</Button>
          <Button onClick={unsaved.discard}>Discard</Button>
        </div>
      )}
    </div>
  )
}
