import { useEffect, useRef } from 'preact/hooks'
import { fitted, styleOf } from '../preview/fitted.ts'
import { useSize } from '../preview/use-size.ts'
import { Difference } from '../review/difference.tsx'
import { useContent } from '../review/new-content.tsx'
import { PageChanges } from '../review/page-changes.tsx'
import { Choice } from '../parts/button.tsx'
import { titleOf } from '../stores/draft.ts'
import { against, chosenSlug, type PageThen as Read, pageThen } from '../stores/history.ts'
import { namedIn } from '../stores/log.ts'
import { changedIn } from '../stores/moves.ts'
import { nameOfSetting, wordsOfSetting } from '../stores/setting-diff.ts'
import { isPhone } from '../stores/widths.ts'
import { momentOf } from '../stores/formats.ts'

const sides = [
  { value: 'before', text: 'What it changed', title: 'Compare with the page before' },
  { value: 'now', text: 'Against now', title: 'Compare with the page now' },
] as const

/** The chosen page as it was, below what the change did to it. */
export function PageThen() {
  const shown = pageThen.value
  const room = useRef<HTMLDivElement>(null)
  const size = useSize(room, shown?.address)
  const frame = useRef<HTMLIFrameElement>(null)
  const mark = (): void => void (shown && markChanges(frame.current, shown.page))
  useEffect(mark, [shown])
  if (!shown) return <section class="skeleton" aria-busy="true" />
  const { page, address } = shown
  const title = page.page?.title ?? titleOf(chosenSlug.value ?? page.entry.slug)
  return (
    <section class="page-then" aria-label="The page at that time">
      <Choice
        label="Compare with"
        options={sides}
        value={against.value}
        onChoose={(side) => (against.value = side)}
      />
      <Changes page={page} />
      {!page.page && <p class="soft">The page did not exist then.</p>}
      {address !== undefined && (
        <>
          <p class="soft">
            <span dir="auto">{title}</span> as it was on {momentOf(page.entry.at)}, with the menu of today
          </p>
          <div class="room" ref={room}>
            <iframe
              class="frame"
              title="The page at that time"
              sandbox="allow-same-origin"
              src={address}
              style={styleOf(fitted(size, isPhone.value ? undefined : 'desktop'))}
              onLoad={mark}
              ref={frame}
            />
          </div>
        </>
      )}
    </section>
  )
}

/**
 * Marks the blocks of a page that differ, and scrolls to the first one; nothing of it runs, so nothing else
 * can.
 */
function markChanges(frame: HTMLIFrameElement | null, { changes, entry }: Read): void {
  const diffs = changes?.status === 'modified' ? changes.blockDiffs : []
  const ids = new Set(changedIn(diffs, namedIn([entry.summary])).map(({ blockId }) => blockId))
  const blocks = [...(frame?.contentDocument?.querySelectorAll<HTMLElement>('[data-block-id]') ?? [])]
  for (const { style, dataset } of blocks)
    style.outline = ids.has(dataset['blockId'] ?? '') ? '3px solid #3450c9' : ''
  const place = blocks.find(({ style }) => style.outline !== '')?.getBoundingClientRect()
  if (place) frame?.contentWindow?.scrollBy({ top: place.top - 24, behavior: 'instant' })
}

function Changes({ page }: { readonly page: Read }) {
  const { settings } = page
  const shown = against.value === 'before' ? settings : []
  return (
    <>
      {shown.length > 0 && (
        <div class="card">
          <h2>Site settings</h2>
          {shown.map((each) => (
            <Difference
              key={each.path}
              name={nameOfSetting(each)}
              kind={each.kind}
              before={wordsOfSetting(each.before)}
              after={wordsOfSetting(each.after)}
            />
          ))}
        </div>
      )}
      <OnPage page={page} isAlone={shown.length === 0} />
    </>
  )
}

function OnPage({ page, isAlone }: { readonly page: Read; readonly isAlone: boolean }) {
  const { changes, entry } = page
  const isNow = against.value === 'now'
  const now = useContent(chosenSlug.value ?? entry.slug, isNow)
  if (!changes || changes.status === 'unchanged')
    return isAlone && <p class="soft">Nothing is different on this page.</p>
  if (changes.status !== 'modified')
    return <p>{changes.status === 'added' ? 'The page is new.' : 'The page is deleted.'}</p>
  return (
    <div class="card">
      <PageChanges
        page={changes}
        isNamed={namedIn([entry.summary])}
        content={isNow ? now : (page.page ?? undefined)}
      />
    </div>
  )
}
