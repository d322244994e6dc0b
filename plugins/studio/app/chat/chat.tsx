import { useEffect, useRef } from 'preact/hooks'
import { useFiles } from '../parts/files.tsx'
import { attach } from './chat-files.ts'
import { takeExample, turns } from '../stores/chat-conversation.ts'
import { examples } from './chat-examples.ts'
import { isUnread } from '../stores/chat-turn.ts'
import { messageSubject, isBusy } from './chat-store.ts'
import { applyPlan, askFor, discardPlan } from './intents.ts'
import { MessageBox } from './box.tsx'
import { OneTurn } from './turn.tsx'

/** The conversation, and the box in which the person says what should change. */
export function Chat() {
  const talk = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const [last] = [...(talk.current?.querySelectorAll('.turn') ?? [])].slice(-1)
    last?.scrollIntoView({ block: 'start' })
  }, [turns.value.length, isBusy.value])
  return (
    <div class="chat" onKeyDown={planKeys} {...useFiles(attach)}>
      <div ref={talk} class="talk" role="log" aria-label="Conversation" aria-busy={isBusy.value} tabIndex={0}>
        {turns.value.length === 0 && <Welcome />}
        {turns.value.map((turn) => (
          <OneTurn key={turn.id} turn={turn} />
        ))}
        {!isBusy.value && <Offered />}
      </div>
      <MessageBox />
    </div>
  )
}

/** Applies and discards the plan by keys; in a text with words the second one deletes words. */
function planKeys(event: KeyboardEvent): void {
  if (!event.ctrlKey && !event.metaKey) return
  const isText = event.target instanceof HTMLTextAreaElement && event.target.value !== ''
  const run =
    event.key === 'Enter' ? applyPlan : event.key === 'Backspace' && !isText ? discardPlan : undefined
  if (!run) return
  event.preventDefault()
  if (!isBusy.value) void run()
}

/**
 * What can be asked next: the choices of an open question, suggestions, or examples to complete after a
 * refusal.
 */
function Offered() {
  const { result } = turns.value.at(-1) ?? {}
  const { suggestions = [], debug } = result ?? {}
  if (!isUnread(result))
    return (
      <Chips
        label={result?.status === 'needs_clarification' ? 'Choices' : 'Suggestions'}
        texts={suggestions}
        take={send}
      />
    )
  return (
    <>
      <Chips
        label="Similar requests"
        texts={suggestions.filter((text) => text === debug?.offer)}
        take={send}
      />
      <Chips label="Examples" texts={examples.value.slice(0, 3)} take={takeExample} />
    </>
  )
}

const send = (message: string): void => void askFor({ message, about: messageSubject.value })

interface ChipsProps {
  readonly label: string
  readonly texts: readonly string[]
  take(text: string): void
}

function Chips({ label, texts, take }: ChipsProps) {
  if (texts.length === 0) return null
  return (
    <div class="chips" role="group" aria-label={label}>
      {texts.map((text) => (
        <button key={text} type="button" dir="auto" onClick={() => take(text)}>
          {text}
        </button>
      ))}
    </div>
  )
}

const Welcome = () => (
  <p class="soft">
    Say what should change, such as: Change the heading to "Welcome". Click something on the page first, and
    the message is about that.
  </p>
)
