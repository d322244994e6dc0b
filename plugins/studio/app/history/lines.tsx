import { By, changesOf, publishText, WaysBack } from '../review/publish-row.tsx'
import { choose, chosen, placeOf } from '../stores/history.ts'
import { publishes, type LogEntry, type Publish } from '../stores/log.ts'
import { sessionsOf } from './sessions.ts'
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
            {sessionsOf(lines, editOf).map((group) => (
              <Group key={group[0]?.at} group={group} />
            ))}
          </ol>
        </section>
      ))}
    </nav>
  )
}

/** A session of edits, or one change or publish. */
function Group({ group }: { readonly group: readonly (LogEntry | Publish)[] }) {
  const edits = group.flatMap((line) => editOf(line) ?? [])
  if (edits.length > 1) return <Session entries={edits} />
  return group.map((line) => ('target' in line ? <Published row={line} /> : <Change entry={line} />))
}

const editOf = (line: LogEntry | Publish): LogEntry | undefined => ('target' in line ? undefined : line)

/** What a person has typed in one go; opened, it has each edit. */
function Session({ entries }: { readonly entries: readonly LogEntry[] }) {
  const [last] = entries
  if (!last) return null
  const hasChosen = entries.some(({ version }) => version === chosen.value?.version)
  return (
    <li>
      <details class="publish-line">
        <summary class="entry" aria-current={hasChosen}>
          <span>{entries.length} edits</span>
          <small>
            {clockOf(last.at)} · <bdi>{byWhom(last)}</bdi> · {placeOf(last)}
          </small>
        </summary>
        <ol>
          {entries.map((entry) => (
            <Change key={entry.version} entry={entry} />
          ))}
        </ol>
      </details>
    </li>
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
  const { at, error, notes = [], actor, rolledBackTo } = row
  const changes = changesOf(row)
  return (
    <li>
      <details class="publish-line">
        <summary class="entry">
          <b dir="auto">{error === undefined ? publishText(row) : `Publish failed: ${error}`}</b>
          {[changes, ...notes].map(
            (text) =>
              text !== undefined && (
                <span key={text} dir="auto">
                  {text}
                </span>
              ),
          )}
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
