import { useEffect } from 'preact/hooks'
import { Button, Choice } from '../parts/button.tsx'
import { titleOf } from '../stores/draft.ts'
import {
  choose,
  chosen,
  chosenSlug,
  failure,
  followHistory,
  isOfSettings,
  pageOf,
  pageThen,
  placeOf,
} from '../stores/history.ts'
import { entries, loadLog, type LogEntry } from '../stores/log.ts'
import { summaryOf } from '../stores/change-summaries.ts'
import { byWhom } from '../stores/by-whom.ts'
import { momentOf } from '../stores/formats.ts'
import { restorePage } from '../edit/undo-line.ts'
import { Lines } from './lines.tsx'
import { PageThen } from './page-then.tsx'
import { Undo } from './undo.tsx'

/** The time line of the draft, the page as it was after a change, and what can be done with it. */
export function History() {
  useEffect(followHistory, [])
  const [list, entry] = [entries.value, chosen.value]
  if (failure.value !== undefined)
    return (
      <div class="view">
        <p class="failure" role="alert">
          {failure.value} <Button onClick={() => void loadLog()}>Try again</Button>
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

/** Whether the page of a change did not exist after it. */
const isMissingThen = (version: number): boolean =>
  pageThen.value?.page.entry.version === version && !pageThen.value.page.page

/** One change: first what can be done with it, so that the buttons stay in their place. */
function Line({ entry }: { readonly entry: LogEntry }) {
  const { version, at, slugs, slug } = entry
  const shown = chosenSlug.value ?? slug
  return (
    <aside class="card" aria-label="This change">
      <Undo key={version} entry={entry} />
      {/* A page that was only deleted is not restored by its line. */}
      {pageOf(entry) === slug && (
        <Button needs="edit" onClick={() => void restorePage(version)}>
          {isMissingThen(version)
            ? `Delete ${placeOf(entry)} again`
            : `Restore ${isOfSettings(entry) ? 'the site settings' : placeOf(entry)} to this version`}
        </Button>
      )}
      <h2 dir="auto">{summaryOf(entry)}</h2>
      <p class="soft">
        {momentOf(at)} by <bdi>{byWhom(entry)}</bdi>
      </p>
      {slugs.length > 1 && (
        <Choice
          label="Pages of this change"
          options={slugs.map((each) => ({ value: each, text: titleOf(each), title: `Show ${each}` }))}
          value={shown}
          onChoose={(each) => choose(version, each)}
        />
      )}
    </aside>
  )
}
