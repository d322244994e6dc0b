import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { isComposing } from '../parts/composing.ts'
import { ask, isBusy, stop, turns, type Turn } from '../stores/chat.ts'
import { nameOf } from '../stores/block-types.ts'
import { selected, selectedBlock } from '../stores/selection.ts'
import { PlanCard } from './plan.tsx'

/** The conversation, and the box in which the person says what should change. */
export function Chat() {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => end.current?.scrollIntoView({ block: 'end' }), [turns.value.length, isBusy.value])
  const latest = turns.value.at(-1)?.result?.suggestions ?? []
  return (
    <div class="chat">
      <div class="talk" role="log" aria-label="Conversation">
        {turns.value.length === 0 && <Welcome />}
        {turns.value.map((turn) => (
          <OneTurn key={turn.id} turn={turn} />
        ))}
        {!isBusy.value && latest.length > 0 && (
          <div class="chips">
            {latest.map((text) => (
              <button key={text} type="button" onClick={() => void ask(text)}>
                {text}
              </button>
            ))}
          </div>
        )}
        <div ref={end} />
      </div>
      <MessageBox />
    </div>
  )
}

const Welcome = () => (
  <p class="soft">
    Say what should change, such as “Change the heading to Welcome”. Click something on the page first, and
    the message is about that.
  </p>
)

function OneTurn({ turn: { id, message, result, plan, failure } }: { readonly turn: Turn }) {
  return (
    <article class="turn">
      <p class="me" dir="auto">
        {message}
      </p>
      {plan && <PlanCard turn={id} plan={plan} />}
      {result && !plan && (
        <div class="said" dir="auto">
          <p>{result.summary}</p>
          {result.changes.length > 0 && (
            <ul>
              {result.changes.map((change) => (
                <li key={change}>{change}</li>
              ))}
            </ul>
          )}
        </div>
      )}
      {failure !== undefined && (
        <p class="failure" role="alert">
          {failure}{' '}
          <Button look="plain" onClick={() => void ask(message)}>
            Try again
          </Button>
        </p>
      )}
      {!result && failure === undefined && <p class="soft working">Working…</p>}
    </article>
  )
}

function MessageBox() {
  const [typed, setTyped] = useState('')
  const block = selectedBlock.value
  const path = selected.value?.path
  const send = (): void => {
    const message = typed.trim()
    if (message === '' || isBusy.value) return
    setTyped('')
    void ask(message)
  }
  return (
    <form
      class="box"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        id="message"
        aria-label="Message"
        placeholder="Say what should change…"
        dir="auto"
        rows={2}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return
          event.preventDefault()
          send()
        }}
      />
      <div>
        <small class="grow">
          {block && `about: ${[nameOf(block.type), path].filter(Boolean).join(' · ')}`}
        </small>
        {isBusy.value ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <Button look="main" type="submit" disabled={typed.trim() === ''}>
            Send
          </Button>
        )}
      </div>
    </form>
  )
}
