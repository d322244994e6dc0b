import { useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { initialsOf, named } from '../parts/faces.tsx'
import { Menu } from '../parts/menu.tsx'
import { givenName, hasSent, name, rename } from '../person.ts'
import { titleOf } from '../stores/draft.ts'
import { go } from '../stores/go.ts'
import { others, type Person } from '../stores/presence.ts'
import { say, toast } from '../stores/toast.ts'
import { caret } from '../stores/typed.ts'
import { isNaming, view } from '../stores/ui.ts'

const namePromptKey = 'content-orchestrator:name-asked'
const mostFaces = 4
const everyMs = 1_000

/** Who else is at the draft; a click leads to where they are. One person alone sees none of it. */
export function People() {
  const here = named(others.value)
  const isAlone = here.length === 0
  const isSeen = !isAlone || hasSent.value
  useEffect(() => (isSeen ? askOnce(isAlone) : undefined), [isSeen, isAlone])
  const items = [
    ...here.map((person) => ({ text: whereIs(person), run: () => void go(person) })),
    { text: `Your name: ${name.value}…`, run: () => void (isNaming.value = true) },
  ]
  return (
    <>
      {!isAlone && (
        <div class="people" role="group" aria-label="Also here">
          {here.slice(0, mostFaces).map((person) => (
            <button
              key={person.client}
              type="button"
              class="face"
              title={whereIs(person)}
              onClick={() => void go(person)}
            >
              <span aria-hidden="true">{initialsOf(person.name)}</span>
              <span class="unseen">{whereIs(person)}</span>
            </button>
          ))}
          <Menu label="People here" icon="users" items={items} />
        </div>
      )}
      {isNaming.value && <Rename />}
    </>
  )
}

const whereIs = ({ name, slug }: Person): string => `${name} · ${titleOf(slug)}`

const isTyping = (): boolean =>
  caret.peek() !== undefined ||
  (document.activeElement?.matches('input, textarea, select, [contenteditable]') ?? false)

/** Asks for the name, once in a browser, at a moment without typing and without another message. */
function askOnce(isAlone: boolean): (() => void) | undefined {
  const isOver = (): boolean => givenName.peek() !== '' || localStorage.getItem(namePromptKey) !== null
  if (isOver()) return undefined
  const timer = setInterval(() => {
    if (isOver()) return clearInterval(timer)
    if (isTyping() || toast.peek() || document.querySelector('dialog:modal')) return
    // It would cover what leads to the publish.
    if (view.peek() === 'review') return
    clearInterval(timer)
    localStorage.setItem(namePromptKey, 'yes')
    const text = isAlone ? 'Your changes have no name yet' : `Others see you as ${name.value}`
    say(text, { text: 'Add your name', run: () => (isNaming.value = true) })
  }, everyMs)
  return () => clearInterval(timer)
}

function Rename() {
  const [text, setText] = useState(givenName.peek())
  const close = (): void => void (isNaming.value = false)
  const save = (event: Event): void => {
    event.preventDefault()
    rename(text)
    close()
  }
  return (
    <Dialog label="Your name" onClose={close}>
      <form class="fields" onSubmit={save}>
        <h2>Your name</h2>
        <div class="field">
          <label for="own-name">The name that others see</label>
          <input
            id="own-name"
            maxLength={60}
            placeholder={name.value}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </div>
        <div class="with-button">
          <Button variant="main" type="submit" disabled={text.trim() === ''}>
            Save
          </Button>
          <Button onClick={close}>Not now</Button>
        </div>
      </form>
    </Dialog>
  )
}
