import { useEffect } from 'preact/hooks'
import { Button, Choice } from '../parts/button.tsx'
import {
  choose,
  chosen,
  chosenSlug,
  dependents,
  entries,
  failure,
  followHistory,
  loadHistory,
  type Entry,
} from '../stores/history.ts'
import { byWhom, momentOf } from '../stores/words.ts'
import { restorePage, undoLine } from '../edit/undo-line.ts'
import { Lines } from './lines.tsx'
import { PageThen } from './page-then.tsx'

/** The time line of the draft, the page as it was after a change, and what can be done with it. */
export function History() {
  useEffect(followHistory, [])
  const [list, entry] = [entries.value, chosen.value]
  if (failure.value !== undefined)
    return (
      <div class="view">
        <p class="failure" role="alert">
          {failure.value} <Button onClick={() => void loadHistory()}>Try again</Button>
        </p>
      </div>
    )
  if (!list) return <div class="view skeleton" aria-busy="true" />
  if (!entry) return <p class="view soft">Nothing was changed yet. Every change will be a line here.</p>
  return (
    <div class="view history">
      <Lines entries={list} />
      <PageThen />
      <Line entry={entry} />
    </div>
  )
}

/** One change, with what can be done with it. */
function Line({ entry }: { readonly entry: Entry }) {
  const { version, summary, at, slugs, source, slug } = entry
  const later = dependents.value?.version === version ? dependents.value.changes : []
  const verb = source === 'undo' ? 'Redo' : 'Undo'
  return (
    <aside class="card" aria-label="This change">
      <h2 dir="auto">{summary}</h2>
      <p class="soft">
        {momentOf(at)} by {byWhom(entry)}
      </p>
      {slugs.length > 1 && (
        <Choice
          label="Pages of this change"
          options={slugs.map((each) => ({ value: each, text: each, title: `Show ${each}` }))}
          value={chosenSlug.value ?? slug}
          onChoose={(each) => choose(version, each)}
        />
      )}
      {later.length === 0 ? (
        <Button look="main" onClick={() => void undoLine(version)}>
          {verb} this change
        </Button>
      ) : (
        <div role="alert">
          <p>Later changes build on it:</p>
          <ul>
            {later.map((change) => (
              <li key={change.version} dir="auto">
                {change.summary}
              </li>
            ))}
          </ul>
          <Button look="main" onClick={() => void undoLine(version, true)}>
            {verb} all {later.length + 1}
          </Button>
        </div>
      )}
      <Button onClick={() => void restorePage(version)}>Restore {slug} as it was then</Button>
    </aside>
  )
}
