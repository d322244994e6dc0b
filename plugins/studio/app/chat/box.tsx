import { Button, IconButton } from '../parts/button.tsx'
import { isComposing } from '../parts/composing.ts'
import { attachments, detachAll, isSending } from './chat-files.ts'
import { hasModel } from './chat-cost.ts'
import { typed } from '../stores/chat-conversation.ts'
import { messageSubject, ask, askVariations, isBusy, stop } from './chat-store.ts'
import { select } from '../stores/selection.ts'
import { AttachButton, Files } from './files.tsx'
import { Terms } from './terms.tsx'

function send(): void {
  const message = typed.value.trim()
  if (message === '' || isBusy.value || isSending.value) return
  typed.value = ''
  const files = attachments.value
  detachAll()
  void ask({ message, about: messageSubject.value, ...(files.length > 0 && { files }) })
}

/** The box in which the person says what should change. */
export function MessageBox() {
  const subject = messageSubject.value
  return (
    <>
      <form
        class="box"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <Files />
        <textarea
          id="message"
          aria-label="Message"
          placeholder="Say what should change…"
          dir="auto"
          rows={2}
          value={typed.value}
          onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey) return
            if (isComposing(event)) return
            event.preventDefault()
            send()
          }}
        />
        <div class="about">
          <small class="cut">about: {subject?.label ?? 'this page'}</small>
          {subject && (
            <IconButton name="x" label="Ask about the whole page" onClick={() => select(undefined)} />
          )}
          {subject && hasModel.value && (
            <Button variant="plain" disabled={isBusy.value} onClick={() => void askVariations(subject)}>
              Show variations
            </Button>
          )}
        </div>
        <div>
          <AttachButton />
          <span class="grow" />
          {isBusy.value ? (
            <Button onClick={() => void stop()}>Stop</Button>
          ) : (
            <Button
              variant="main"
              type="submit"
              needs="plan"
              disabled={typed.value.trim() === '' || isSending.value}
            >
              Send
            </Button>
          )}
        </div>
      </form>
      <Terms />
    </>
  )
}
