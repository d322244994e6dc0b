import { useState } from 'preact/hooks'
import { undoLine } from '../edit/undo-line.ts'
import { Button } from '../parts/button.tsx'
import { titleOf } from '../stores/draft.ts'
import { choose, dependents, pageThen, stateOf } from '../stores/history.ts'
import type { LogEntry } from '../stores/log.ts'
import { summaryOf } from '../stores/change-summaries.ts'
import { nameOfSetting } from '../stores/setting-diff.ts'

/** How many parts of a change are named. */
const most = 8

/** The button that undoes a change, or redoes an undone one. What changes several pages is shown first. */
export function Undo({ entry }: { readonly entry: LogEntry }) {
  const [isConfirming, setConfirming] = useState(false)
  const { isUndone, target } = stateOf(entry)
  const verb = isUndone ? 'Redo' : 'Undo'
  const loaded = pageThen.value?.page
  if (loaded?.entry.version !== entry.version)
    return (
      <Button variant="main" disabled>
        {verb} this change
      </Button>
    )
  if (!loaded.canUndo)
    return <p class="soft">The draft begins here, with the pages and settings of the site.</p>
  const later = dependents.value?.version === target ? dependents.value.changes : []
  const settings = loaded.settings.map(nameOfSetting)
  const isWide = settings.length > 0 || entry.slugs.length > 1
  const run = async (withDependents: boolean): Promise<void> => {
    setConfirming(false)
    if (await undoLine(target, withDependents)) choose()
  }
  if (later.length > 0)
    return (
      <div role="alert">
        <p>Later changes build on it:</p>
        <List texts={later.map(summaryOf)} />
        <Button variant="main" needs="edit" onClick={() => void run(true)}>
          {verb} all {later.length + 1}
        </Button>
      </div>
    )
  if (isConfirming)
    return (
      <div role="alert">
        <p>This changes:</p>
        <List texts={[...settings, ...entry.slugs.map(titleOf)]} />
        <Button variant="main" needs="edit" onClick={() => void run(false)}>
          {verb} all of it
        </Button>{' '}
        <Button onClick={() => setConfirming(false)}>Keep it</Button>
      </div>
    )
  return (
    <Button variant="main" needs="edit" onClick={() => (isWide ? setConfirming(true) : void run(false))}>
      {verb} this change
    </Button>
  )
}

export const List = ({ texts }: { readonly texts: readonly string[] }) => (
  <ul>
    {texts.slice(0, most).map((text) => (
      <li key={text} dir="auto">
        {text}
      </li>
    ))}
    {texts.length > most && <li>and {texts.length - most} more</li>}
  </ul>
)
