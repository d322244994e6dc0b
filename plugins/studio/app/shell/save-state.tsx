import type { ComponentChildren } from 'preact'
import { Button } from '../parts/button.tsx'
import { isOnline, reconnect } from '../stores/connection.ts'
import { isListed, saving } from '../stores/draft.ts'
import { sentenceOfGone } from '../stores/gone.ts'
import { go } from '../stores/go.ts'
import { placeOf } from '../stores/place.ts'
import { endTyping, flushAll, typedAt, unsent } from '../stores/typed.ts'
import { offered } from '../stores/unsaved.ts'
import { passwordReason } from './password.tsx'

/** Whether all is stored: "Saved" is shown only when the service has answered. */
export function SaveState() {
  const names = [...unsent.value]
  const typed = names.map((name) => ({ name, ...typedAt(name).value }))
  const failure = typed.find((each) => each.failure !== undefined)?.failure
  const lost = typed.find(({ gone }) => gone !== undefined)
  const open = typed.find((each) => each.conflict)?.name
  const why = passwordReason()
  if (why !== undefined)
    return (
      <Trouble text={why}>
        <Button onClick={endTyping}>Sign in</Button>
      </Trouble>
    )
  if (!isOnline.value)
    return (
      <Trouble text={`Offline. ${waiting(names.length)}`}>
        <Button onClick={reconnect}>Retry</Button>
      </Trouble>
    )
  if (failure !== undefined)
    return (
      <Trouble text={`Not saved: ${failure}`}>
        <Button onClick={() => void flushAll()}>Retry</Button>
      </Trouble>
    )
  if (open !== undefined)
    return (
      <Trouble text="Not saved: two versions.">
        <Button onClick={() => showField(open)}>Choose</Button>
      </Trouble>
    )
  if (lost?.gone)
    return (
      <Trouble text={`Not saved: ${sentenceOfGone(lost.gone)}`}>
        <Button onClick={() => showField(lost.name)}>Show</Button>
      </Trouble>
    )
  const isSaving = names.length > 0 || saving.value > 0
  return (
    <small class="soft" role="status">
      {isSaving ? 'Saving…' : isListed.value ? (left(offered.value.length) ?? 'Saved') : ''}
    </small>
  )
}

const Trouble = ({ text, children }: { readonly text: string; readonly children: ComponentChildren }) => (
  <span class="save-trouble">
    <small class="failure cut" role="status" title={text}>
      {text}
    </small>
    {children}
  </span>
)

/** What is offered is not saved. */
function left(count: number): string | undefined {
  if (count === 0) return undefined
  return count === 1 ? '1 text is not saved' : `${count} texts are not saved`
}

function waiting(count: number): string {
  if (count === 0) return 'You can go on.'
  return count === 1 ? '1 change waits.' : `${count} changes wait.`
}

/** Shows the block with a field; settings have a name of their own, and stay where they are. */
function showField(name: string): void {
  const place = placeOf(name)
  if (place) void go({ slug: place.slug, blockId: place.blockId })
}
