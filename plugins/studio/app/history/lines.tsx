import { choose, chosen, type Entry } from '../stores/history.ts'
import { byWhom } from '../stores/words.ts'

const day = new Intl.DateTimeFormat('en', { dateStyle: 'full' })
const time = new Intl.DateTimeFormat('en', { timeStyle: 'short' })

/** Every change of the draft as one line, grouped by day. */
export function Lines({ entries }: { readonly entries: readonly Entry[] }) {
  const days = Object.entries(Object.groupBy(entries, ({ at }) => day.format(new Date(at))))
  return (
    <nav class="lines" aria-label="Changes">
      <h1>History</h1>
      {days.map(([name, lines = []]) => (
        <section key={name}>
          <h2>{name}</h2>
          <ol>
            {lines.map((entry) => (
              <li key={entry.version}>
                <button
                  type="button"
                  class="entry"
                  aria-current={entry.version === chosen.value?.version}
                  onClick={() => choose(entry.version)}
                >
                  <span dir="auto">{entry.summary}</span>
                  <small>
                    {time.format(new Date(entry.at))} · {byWhom(entry)} · {entry.slug}
                  </small>
                </button>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </nav>
  )
}
