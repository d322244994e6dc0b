import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { credentialRequest, call, holder, sentenceOf, stopAsking, unlock, type Answer } from '../service.ts'
import { isTyping, unsent } from '../stores/typed.ts'

const words = {
  password: {
    label: 'Password of this service',
    help: 'An access token works too.',
    wrong: 'This password is wrong.',
    button: 'Open the studio',
  },
  publish: {
    label: 'Publish token of this service',
    help: 'It is the value of PUBLISH_TOKEN.',
    wrong: 'This publish token is wrong.',
    button: 'Publish',
  },
} as const

/** No password helps where the website decides, or where none is set. */
const remedies: Readonly<Record<string, string>> = {
  hook: 'The website decides who may edit. Sign in there, then load this page again.',
  closed: 'This service is closed: it has no password yet.',
}

/**
 * Why a person who is at work is asked for the password, and what becomes of the work; nothing for one who
 * begins.
 */
export const passwordReason = (): string | undefined => {
  const hasUnsent = unsent.value.size > 0
  if (credentialRequest.value?.what !== 'password' || (holder.value === undefined && !hasUnsent))
    return undefined
  const why = holder.value === undefined ? 'The service asks for a password now.' : 'Your access has ended.'
  return hasUnsent ? `${why} What you typed is kept, and stored after that.` : why
}

/**
 * Asks for what the service waits for, but not in the middle of a word. What was open behind it stays as it
 * is.
 */
export function Password() {
  const element = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  const [failure, setFailure] = useState<string | undefined>(undefined)
  const [status, setStatus] = useState<Answer<'GET /auth/status'> | undefined>(undefined)
  const what = credentialRequest.value?.what
  useEffect(() => {
    if (what === undefined) return element.current?.close()
    setTyped('')
    setFailure(undefined)
    call('GET /auth/status').then(setStatus, () => undefined)
  }, [what])
  const mayOpen = what === 'publish' || (what === 'password' && !isTyping.value)
  useEffect(() => {
    if (mayOpen && !element.current?.open) element.current?.showModal()
  }, [mayOpen])
  const send = (event: Event): void => {
    event.preventDefault()
    setFailure(undefined)
    unlock(typed).catch((error: unknown) => setFailure(sentenceOf(error)))
  }
  // Without a token nothing works behind it.
  const isOptional = what === 'publish' || holder.value !== undefined
  const cancel = (event: Event): void => {
    event.preventDefault()
    if (isOptional) stopAsking()
  }
  const { label, help, wrong, button } = words[what ?? 'password']
  const why = passwordReason()
  const remedy = what === 'password' ? remedies[status?.mode ?? ''] : undefined
  return (
    <dialog ref={element} class="lock" aria-label="Access" onCancel={cancel}>
      <form class="card" onSubmit={send}>
        {why !== undefined && <p>{why}</p>}
        <label for="password">
          <b>{label}</b>
        </label>
        <input
          id="password"
          type="password"
          autocomplete={what === 'publish' ? 'off' : 'current-password'}
          aria-describedby="password-help"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <small id="password-help">{remedy ?? help}</small>
        <p class="failure" role="alert">
          {failure ?? (credentialRequest.value?.isWrong === true && wrong)}
        </p>
        <Button variant="main" type="submit" disabled={typed === ''}>
          {button}
        </Button>
        {isOptional && <Button onClick={stopAsking}>Not now</Button>}
      </form>
    </dialog>
  )
}
