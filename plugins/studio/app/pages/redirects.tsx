import { useState } from 'preact/hooks'
import { Button, IconButton } from '../parts/button.tsx'
import { redirects } from '../stores/site-config.ts'
import { changeRedirect } from './intents.ts'

/** The former addresses of pages, and where visitors of them are led; nothing where the site takes none. */
export function Redirects() {
  const listed = redirects.value
  if (!listed) return null
  return (
    <details class="redirects">
      <summary>
        Old addresses <small>{listed.length}</small>
      </summary>
      <p class="soft">Visitors of an old address are led to the new one. A page that moves adds its own.</p>
      <ul class="stack" aria-label="Old addresses">
        {listed.map(([from, to]) => (
          <li key={from} class="with-button">
            <bdi class="grow cut" dir="ltr">
              {from} → {to}
            </bdi>
            <IconButton
              name="trash-2"
              label={`Remove ${from}`}
              needs="edit"
              onClick={() => void changeRedirect(from, '')}
            />
          </li>
        ))}
      </ul>
      <NewRedirect />
    </details>
  )
}

function NewRedirect() {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const add = async (): Promise<void> => {
    if (!(await changeRedirect(from.trim(), to.trim()))) return
    setFrom('')
    setTo('')
  }
  const field = (label: string, value: string, set: (value: string) => void, placeholder: string) => (
    <label class="grow">
      {label}
      <input
        dir="ltr"
        value={value}
        placeholder={placeholder}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  )
  return (
    <form
      class="with-button"
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      {field('Old address', from, setFrom, '/old-page')}
      {field('Leads to', to, setTo, '/new-page')}
      <Button needs="edit" type="submit" disabled={from.trim() === '' || to.trim() === ''}>
        Add
      </Button>
    </form>
  )
}
