import type { ComponentChildren } from 'preact'
import { Button } from '../parts/button.tsx'
import type { Block, Page } from '../stores/draft.ts'
import { pageOf, partOf, type PartialBlock } from './conflict-names.ts'
import type { Conflict } from '../stores/conflicts.ts'
import { displayNameOf } from '../stores/block-types.ts'
import { draftedOn } from '../stores/log.ts'
import { isRow, isSame } from '../stores/place.ts'
import { diff } from '../stores/review.ts'
import { wordsOfSetting } from '../stores/setting-diff.ts'
import { byWhom } from '../stores/by-whom.ts'
import { momentOf } from '../stores/formats.ts'
import { kindOfPath, nameOfPath, readingOf, wordsOf } from '../stores/words.ts'
import { Difference, Marked } from './difference.tsx'
import { take } from './intents.ts'
import { Content, useContent, Value, WholePage } from './new-content.tsx'

/** The id of the card of what is to be decided. */
export const conflictsId = 'conflicts'

interface ConflictsProps {
  readonly conflicts: readonly Conflict[]
}

/** What was changed in the draft and on the site: both sides, and the choice. */
export function Conflicts({ conflicts }: ConflictsProps) {
  if (conflicts.length === 0) return null
  return (
    <section class="card conflicts" id={conflictsId} tabIndex={-1} aria-label="Changed here and on the site">
      <h2>Changed here and on the site</h2>
      <p class="soft">Choose what to keep. Until then the draft has yours.</p>
      {conflicts.length > 1 && <Sides of={conflicts} draft="Keep all of mine" site="Use all of the site's" />}
      {conflicts.map((conflict) => (
        <ConflictRow key={conflict.id} conflict={conflict} />
      ))}
    </section>
  )
}

interface SidesProps {
  readonly of: readonly Conflict[]
  readonly draft: string
  readonly site: string
}

const Sides = ({ of, draft, site }: SidesProps) => (
  <div class="choices">
    <Button
      needs="edit"
      title="The next publish brings it to the site."
      onClick={() => void take('draft', of)}
    >
      {draft}
    </Button>
    <Button
      needs="edit"
      title="Changes the draft only. Visitors see no difference."
      onClick={() => void take('site', of)}
    >
      {site}
    </Button>
  </div>
)

interface ConflictRowProps {
  readonly conflict: Conflict
  /** What has the value of ours: by default the draft, with those who have changed it. */
  readonly here?: ComponentChildren
  /** By default the choice between the draft and the site. */
  readonly children?: ComponentChildren
}

/** One conflict: both sides beside each other, with the words marked that differ. */
export function ConflictRow({ conflict, here, children }: ConflictRowProps) {
  const { slug, blockId, path, kind, ours, theirs, at, actor } = conflict
  const content = useContent(slug, path?.includes('[') === true && blockId !== undefined)
  const block = blockOf(conflict, content)
  const part = partOf(conflict, block)
  const facts = { conflict, type: block?.type }
  return (
    <section class="block-diff">
      <h3>
        <span dir="auto">{pageOf(conflict)}</span> {part !== undefined && <small>{part}</small>}
      </h3>
      <div class="sides">
        <Side value={ours} other={theirs} isGone={kind === 'removed_here'} {...facts}>
          {here ?? <Made where="In the draft" {...draftedOn(slug)} />}
        </Side>
        <Side value={theirs} other={ours} isGone={kind === 'removed_on_site'} {...facts}>
          <Made where="On the site" by={actor && byWhom({ actor })} at={at} />
        </Side>
      </div>
      {children === undefined ? <Sides of={[conflict]} draft="Keep mine" site="Use the site's" /> : children}
    </section>
  )
}

interface MadeProps {
  readonly where: string
  readonly by?: string | undefined
  readonly at?: string | undefined
}

/** Where a value is, who made it, and when. */
export const Made = ({ where, by, at }: MadeProps) => (
  <>
    {where}
    {by !== undefined && (
      <>
        {' · '}
        <bdi>{by}</bdi>
      </>
    )}
    {at !== undefined && `${by === undefined ? ' · ' : ', '}${momentOf(at)}`}
  </>
)

/** The block of a conflict: as it is on the page, else as one side has it, else its type. */
export function blockOf(
  { slug, blockId, ours, theirs }: Conflict,
  content?: Page | undefined,
): PartialBlock | undefined {
  const page = diff.value?.pages.find((each) => each.slug === slug)
  return (
    content?.blocks.find(({ id }) => id === blockId) ??
    [ours, theirs].find(isBlock) ??
    page?.blockDiffs.find((each) => each.blockId === blockId)
  )
}

const isBlock = (value: unknown): value is Pick<Block, 'type' | 'props'> =>
  isRow(value) && typeof value['type'] === 'string' && isRow(value['props'])

const isPage = (value: unknown): value is Pick<Page, 'meta' | 'blocks'> =>
  isRow(value) && Array.isArray(value['blocks'])

interface SideProps {
  readonly children: ComponentChildren
  readonly value: unknown
  readonly other: unknown
  readonly isGone: boolean
  readonly conflict: Conflict
  readonly type: string | undefined
}

/** One side of a conflict under its name, with who published it and when. */
const Side = ({ children, ...rest }: SideProps) => (
  <div>
    <small>{children}</small>
    <Shown {...rest} />
  </div>
)

function Shown({ value, other, isGone, conflict, type }: Omit<SideProps, 'children'>) {
  const { slug, blockId, path, base } = conflict
  if (isGone) return <p class="removed">{goneWords(conflict)}</p>
  if (path === undefined && isPage(value))
    return <FoldedPage page={value} before={isPage(base) ? base : undefined} />
  if (path === undefined && isBlock(value)) return <Content block={value} />
  const shown = slug === '' ? wordsOfSetting(value) : value
  if (wordsOf(shown) === '') return <p class="soft">Empty</p>
  const kind = kindOf(blockId, path, type)
  const compared = slug === '' ? wordsOfSetting(other) : other
  if (compared === undefined || kind.startsWith('image')) return <Value name="" kind={kind} value={shown} />
  return (
    <div class="difference">
      <Marked text={readingOf(shown, kind)} other={readingOf(compared, kind)} />
    </div>
  )
}

/** Why one side has nothing: a page of the site may be there and have a mistake. */
function goneWords({ kind, slug, blockId }: Conflict): string {
  const isPage = kind === 'removed_on_site' && blockId === undefined
  const entry = isPage ? diff.value?.unreadable?.find((each) => each.slug === slug) : undefined
  return entry ? `It cannot be read: ${entry.reason}` : 'Deleted'
}

interface FoldedPageProps {
  readonly page: Pick<Page, 'meta' | 'blocks'>
  readonly before: Pick<Page, 'meta' | 'blocks'> | undefined
}

/** What one side has changed on a page that the other one has deleted, and the page itself, folded. */
function FoldedPage({ page, before }: FoldedPageProps) {
  const bases = new Map(before?.blocks.map((block) => [block.id, block]))
  return (
    <>
      {page.blocks.flatMap(({ id, type, props }) => {
        const base = bases.get(id)
        const names = base ? Object.keys({ ...base.props, ...props }) : []
        return names
          .filter((name) => !isSame(base?.props[name], props[name]))
          .map((name) => (
            <Difference
              key={`${id} ${name}`}
              name={`${displayNameOf(type)}: ${nameOfPath(type, name)}`}
              field={kindOfPath(type, name)}
              kind={kindOfPath(type, name) === 'image' ? 'image' : 'text'}
              before={base?.props[name]}
              after={props[name]}
            />
          ))
      })}
      <details>
        <summary>The whole page</summary>
        <WholePage page={page} />
      </details>
    </>
  )
}

/** The values of pages and of the site that are pictures. */
const pictures: ReadonlySet<string | undefined> = new Set(['meta.ogImage', 'logo'])

function kindOf(blockId: string | undefined, path: string | undefined, type = ''): string {
  if (blockId === undefined) return pictures.has(path) ? 'image' : 'text'
  return (path === undefined ? undefined : kindOfPath(type, path)) ?? 'text'
}
