import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { initialsOf, named } from '../parts/faces.tsx'
import { Menu } from '../parts/menu.tsx'
import { titleOf } from '../stores/draft.ts'
import { go } from '../stores/go.ts'
import { name, others, rename, type Person } from '../stores/presence.ts'
import { say } from '../stores/toast.ts'

const isRenaming = signal(false)
const asked = 'content-orchestrator:name-asked'
const mostFaces = 4

/** Who else is at the draft; a click leads to where they are. One person alone sees none of it. */
export function People() {
  const here = named(others.value)
  const isAlone = here.length === 0
  useEffect(() => {
    if (isAlone || localStorage.getItem(asked) !== null) return
    localStorage.setItem(asked, 'yes')
    say(`Others see you as ${name.value}`, { text: 'Change name', run: () => (isRenaming.value = true) })
  }, [isAlone])
  const items = [
    ...here.map((person) => ({ text: whereIs(person), run: () => void go(person) })),
    { text: `Your name: ${name.value}…`, run: () => void (isRenaming.value = true) },
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
      {isRenaming.value && <Rename />}
    </>
  )
}

const whereIs = ({ name, slug }: Person): string => `${name} · ${titleOf(slug)}`

function Rename() {
  const [text, setText] = useState(name.value)
  const close = (): void => void (isRenaming.value = false)
  const save = (event: Event): void => {
    event.preventDefault()
    rename(text)
    close()
  }
  return (
    <Dialog label="Your name" onClose={close}>
      <form class="pad with-button" onSubmit={save}>
        <input
          aria-label="What others call you"
          maxLength={60}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button look="main" type="submit" disabled={text.trim() === ''}>
          Save
        </Button>
      </form>
    </Dialog>
  )
}
