import { whenOf } from '../stores/formats.ts'
import { withCapital } from '../stores/capital.ts'
import { wordsOf } from '../stores/words.ts'
import { Button } from './button.tsx'
import type { UseTyped } from './use-typed.ts'

const Text = ({ value }: { readonly value: unknown }) => (
  <blockquote dir="auto">{wordsOf(value) || '(empty)'}</blockquote>
)

function writtenBy(name: string | undefined): string {
  if (name === 'You') return 'You have written this in another window meanwhile:'
  return name === undefined
    ? 'This was written meanwhile:'
    : `${withCapital(name)} has written this meanwhile:`
}

/** The notes on what is typed: why it is not stored, and the other texts beside it. */
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
          <p>{writtenBy(conflict.by)}</p>
          <Text value={conflict.theirs} />
          <Button onClick={() => decide(value)}>Keep mine</Button>
          <Button onClick={() => decide(conflict.theirs)}>
            {conflict.by === 'You' ? 'Keep the other' : 'Keep theirs'}
          </Button>
        </div>
      )}
      <UnsavedNote unsaved={unsaved} />
    </div>
  )
}

/** Offers what an earlier page load has left unsaved in a field. */
export function UnsavedNote<T>({ unsaved }: Pick<UseTyped<T>, 'unsaved'>) {
  if (!unsaved) return null
  return (
    <div class="conflict stack" role="group" aria-label="Unsaved text">
      <p>
        You typed this {whenOf(unsaved.at)}. It was not saved
        {unsaved.isOld && ', and the field has changed since'}:
      </p>
      <Text value={unsaved.value} />
      <Button onClick={unsaved.use}>Use this text</Button>
      <Button onClick={unsaved.discard}>Discard</Button>
    </div>
  )
}
