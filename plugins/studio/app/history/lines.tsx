import { By, changesOf, publishText, WaysBack } from '../review/publish-row.tsx'
import { choose, chosen, placeOf } from '../stores/history.ts'
import { publishes, type LogEntry, type Publish } from '../stores/log.ts'
import { summaryOf } from '../stores/change-summaries.ts'
import { byWhom } from '../stores/by-whom.ts'
import { clockOf, fullDateOf } from '../stores/formats.ts'

/** Every change of the draft, and every publish, as one line, grouped by day. */
export function Lines({ entries }: { readonly entries: readonly LogEntry[] }) {
  const lines = [...entries, ...publishes.value].toSorted((a, b) => b.at.localeCompare(a.at))
  const days = Object.entries(Object.groupBy(lines, ({ at }) => fullDateOf(at)))
  return (
    <nav class="lines" aria-label="Changes">
      <h1>History</h1>
      {days.map(([name, lines = []]) => (
        <section key={name}>
          <h2>{name}</h2>
          <ol>
            {lines.map((line) =>
              'target' in line ? (
                <Published key={line.id} row={line} />
              ) : (
                <Change key={line.version} entry={line} />
              ),
            )}
          </ol>
        </section>
      ))}
    </nav>
  )
}

const Change = ({ entry }: { readonly entry: LogEntry }) => (
  <li>
    <button
      type="button"
      class="entry"
      aria-current={entry.version === chosen.value?.version}
      onClick={() => choose(entry.version)}
    >
      <span dir="auto">{summaryOf(entry)}</span>
      <small>
        {clockOf(entry.at)} · <bdi>{byWhom(entry)}</bdi> · {placeOf(entry)}
      </small>
    </button>
  </li>
)

/** A publish; opened, it has the ways back to it. */
function Published({ row }: { readonly row: Publish }) {
  const { at, error, actor, rolledBackTo } = row
  const changes = changesOf(row)
  return (
    <li>
      <details class="publish-line">
        <summary class="entry">
          <b dir="auto">{error === undefined ? publishText(row) : `Publish failed: ${error}`}</b>
          {changes !== undefined && <span dir="auto">{changes}</span>}
          <small>
            {clockOf(at)}
            <By actor={actor} />
            {rolledBackTo !== undefined && ' · an earlier publish again'} · <u>Restore</u>
          </small>
        </summary>
        <WaysBack row={row} />
      </details>
    </li>
  )
}
