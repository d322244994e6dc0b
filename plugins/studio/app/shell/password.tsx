import { useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { access, sentenceOf, unlock } from '../service.ts'

/** Asks for the password of the service. What was open behind it stays as it is. */
export function Password() {
  const [typed, setTyped] = useState('')
  const [failure, setFailure] = useState<string | undefined>(undefined)
  if (access.value === 'open') return null
  const send = (event: Event): void => {
    event.preventDefault()
    unlock(typed).catch((error: unknown) => setFailure(sentenceOf(error)))
  }
  return (
    <div class="lock">
      <form class="card" onSubmit={send}>
        <label for="password">
          <b>Password of this service</b>
        </label>
        <input
          id="password"
          type="password"
          autocomplete="current-password"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <p class="failure" role="alert">
          {failure ?? (access.value === 'wrong' && 'This password is wrong.')}
        </p>
        <Button look="main" type="submit" disabled={typed === ''}>
          Open the studio
        </Button>
      </form>
    </div>
  )
}
