import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { call, sentenceOf, type Answer } from '../service.ts'
import { changes } from '../stores/draft.ts'
import { draftId } from '../stores/site.ts'
import { say } from '../stores/toast.ts'

type Entry = Answer<'GET /history/log'>['entries'][number]
const entries = signal<readonly Entry[] | undefined>(undefined)

async function load(): Promise<void> {
  const { entries: oldestFirst } = await call('GET /history/log', {
    query: { ...draftId.value, limit: 100 } as never,
  })
  entries.value = oldestFirst.toReversed()
}

async function restore({ version }: Entry): Promise<void> {
  try {
    await call('POST /history/restore', { body: { ...draftId.value, targetVersion: version } })
    say('Restored')
  } catch (error) {
    say(sentenceOf(error))
  }
}

const day = new Intl.DateTimeFormat('en', { dateStyle: 'full' })
const time = new Intl.DateTimeFormat('en', { timeStyle: 'short' })

/** Every change of the draft as one line, grouped by day. */
export function History() {
  useEffect(() => void load(), [changes.value])
  const days = Object.entries(Object.groupBy(entries.value ?? [], ({ at }) => day.format(new Date(at))))
  return (
    <div class="view">
      <h1>History</h1>
      {entries.value?.length === 0 && <p class="soft">Nothing was changed yet.</p>}
      {days.map(([name, lines = []]) => (
        <section key={name} class="card">
          <h2>{name}</h2>
          <ol class="lines">
            {lines.map((entry) => (
              <li key={entry.version}>
                <small>{time.format(new Date(entry.at))}</small>
                <span class="grow">
                  {entry.summary} <small>{entry.slug}</small>
                </span>
                <small>{entry.actor.client ?? entry.channel}</small>
                <Button look="plain" onClick={() => void restore(entry)}>
                  Restore
                </Button>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}
