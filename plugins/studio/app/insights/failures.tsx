import { Button } from '../parts/button.tsx'
import { sentenceOf } from '../service.ts'
import { replay, runs, undelivered } from './insights-store.ts'
import { publishes } from '../stores/log.ts'
import { say } from '../stores/toast.ts'
import { momentOf } from '../stores/formats.ts'

interface Failure {
  readonly key: string
  readonly at: string
  readonly what: string
  readonly why: string
  /** Tries it again. */
  readonly again?: () => void
}

const most = 12

function send(id: string): void {
  replay(id).then(
    () => say('Sent again'),
    (error: unknown) => say(sentenceOf(error)),
  )
}

/** The newest failures of chat, publishes and webhooks. */
function newest(): readonly Failure[] {
  const ofChat = (runs.value.value?.rows ?? [])
    .filter(({ failed }) => failed === true)
    .map(({ id, at, outcome = '', reason, promptExcerpt }) => ({
      key: id,
      at,
      what: promptExcerpt === '' ? 'A message' : `“${promptExcerpt}”`,
      why: reason ?? outcome.replaceAll('_', ' '),
    }))
  const ofPublishes = publishes.value
    .filter(({ status }) => status === 'failed')
    .map(({ at, error = '' }) => ({ key: `publish ${at}`, at, what: 'A publish', why: error }))
  const ofWebhooks = (undelivered.value.value?.deliveries ?? []).map(
    ({ id, createdAt, endpoint, type, attempts, last }) => ({
      key: id,
      at: last?.at ?? createdAt,
      what: `The webhook ${type} to ${endpoint}`,
      why: `${last?.failure ?? `The answer was ${last?.status ?? 'missing'}.`} ${attempts} attempts.`,
      again: () => send(id),
    }),
  )
  return [...ofChat, ...ofPublishes, ...ofWebhooks].toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, most)
}

export function Failures() {
  const list = newest()
  return (
    <section class="card">
      <h2>Newest failures</h2>
      {list.length === 0 && <p class="soft">Nothing failed.</p>}
      <ul class="facts">
        {list.map(({ key, at, what, why, again }) => (
          <li key={key}>
            <div class="grow">
              <b dir="auto">{what}</b>
              <p>{why}</p>
              <small>{momentOf(at)}</small>
            </div>
            {again && (
              <Button needs="publish" onClick={again}>
                Send again
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
