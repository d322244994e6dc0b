import type { ComponentChildren } from 'preact'
import { Button } from '../parts/button.tsx'
import { displayNameOf, typeOf } from '../stores/block-types.ts'
import type { Block, Page } from '../stores/draft.ts'
import { changedIn, movesIn, ordinal, type IsNamed, type Move } from '../stores/moves.ts'
import type { PageDiff } from '../stores/review.ts'
import { addressPath, fieldOf, revertedWords, textAt } from '../stores/reverted.ts'
import { fieldChanges, type FieldChange } from '../stores/row-changes.ts'
import { kindOfPath, metaNames, nameOfPath } from '../stores/words.ts'
import { Difference, type DifferenceProps } from './difference.tsx'
import { Content } from './new-content.tsx'

type BlockDiff = PageDiff['blockDiffs'][number]
/** The title of a page, its address, or one of its texts for search engines. */
interface TextDiff extends DifferenceProps {
  readonly path: string
}

interface PageChangesProps {
  readonly page: PageDiff
  /** Whether the log names blocks of a type as moved. */
  readonly isNamed: IsNamed
  /** The page with the changes, for the content of new blocks and the rows of lists. */
  readonly content?: Page | undefined
  /** The blocks and fields that keep their place although they no longer differ. */
  readonly reverted?: ReadonlySet<string | undefined> | undefined
  readonly actions?: ((part: RevertedPart) => ComponentChildren) | undefined
}

/** What can be reverted: a text of the page, a block, one of its several fields, or its move. */
export interface RevertedPart {
  readonly text?: TextDiff
  readonly block?: BlockDiff
  readonly move?: Move | undefined
  readonly field?: string
  /** The number of fields that a block as a whole has changed. */
  readonly count?: number
}

/** The changes of one page, block by block, in the words of the page. */
export function PageChanges({ page, isNamed, content, reverted, actions }: PageChangesProps) {
  const { blockDiffs } = page
  const moves = movesIn(blockDiffs, isNamed)
  const changed = new Set(changedIn(blockDiffs, isNamed))
  return (
    <>
      <PageTexts page={page} reverted={reverted} actions={actions} />
      {blockDiffs.map((block) =>
        changed.has(block) ? (
          <BlockChanges
            key={block.blockId}
            block={block}
            content={content?.blocks.find(({ id }) => id === block.blockId)}
            move={moves.get(block.blockId)}
            reverted={reverted}
            actions={actions}
          />
        ) : (
          reverted?.has(block.blockId) && (
            <RevertedPart key={block.blockId} name={displayNameOf(block.type)} />
          )
        ),
      )}
    </>
  )
}

const ownNames: Readonly<Record<string, string>> = { '': 'Title', [addressPath]: 'Address' }

function PageTexts({ page, reverted, actions }: Pick<PageChangesProps, 'page' | 'reverted' | 'actions'>) {
  const { slug, slugBefore, titleBefore, titleAfter, metaDiffs = [] } = page
  const own = [
    { path: '', before: titleBefore, after: titleAfter },
    { path: addressPath, before: slugBefore, after: slug },
  ].filter(({ before }) => before !== undefined)
  const changes = new Map([...own, ...metaDiffs].map((text) => [text.path, text]))
  const paths = [...new Set(['', addressPath, ...Object.keys(metaNames), ...changes.keys()])].filter(
    (path) => changes.has(path) || reverted?.has(textAt(path)),
  )
  if (paths.length === 0) return null
  return (
    <section class="block-diff">
      <h3>Page</h3>
      {paths.map((path) => {
        const text = changes.get(path)
        const name = ownNames[path] ?? metaNames[path] ?? path
        return (
          <FieldLine key={path} action={text && actions?.({ text })}>
            {text ? <Difference {...text} name={name} /> : <Reverted name={name} />}
          </FieldLine>
        )
      })}
    </section>
  )
}

interface RevertProps {
  readonly children: string
  readonly onRevert: () => Promise<void>
}

/** The button that reverts a change; the live site stays as it is. */
export const Revert = ({ children, onRevert }: RevertProps) => (
  <Button
    variant="plain"
    needs="edit"
    title="Changes the draft only. Visitors see no difference."
    onClick={() => void onRevert()}
  >
    {children}
  </Button>
)

interface FieldLineProps {
  readonly action: ComponentChildren
  readonly children: ComponentChildren
}

/** What changed in a field, with its way back beside it. */
const FieldLine = ({ action, children }: FieldLineProps) => (
  <div class="field-diff">
    <div class="grow">{children}</div>
    {action}
  </div>
)

const Reverted = ({ name }: { readonly name: string }) => (
  <p class="soft">
    {name}: {revertedWords}
  </p>
)

export const RevertedPart = ({ name }: { readonly name: string }) => (
  <section class="block-diff">
    <h3>
      {name} <span class="grow" />
      <small>{revertedWords}</small>
    </h3>
  </section>
)

/** What else came or went may leave a block that moved at the same place of the page. */
const wordsOfMove = ({ from, to }: Move): string =>
  from === to ? 'moved' : `${ordinal(from)} → ${ordinal(to)}`

interface BlockChangesProps extends Pick<PageChangesProps, 'reverted' | 'actions'> {
  readonly block: BlockDiff
  readonly content: Block | undefined
  readonly move: Move | undefined
}

export const statuses: Readonly<Record<string, string>> = { added: 'new', removed: 'deleted' }

function BlockChanges({ block, content, move, reverted, actions }: BlockChangesProps) {
  const { blockId, type, status, fieldDiffs = [] } = block
  const changes = new Map(fieldChanges(fieldDiffs, content?.props).map((change) => [change.name, change]))
  // A reverted field keeps its place, so that no other button comes under the pointer.
  const names = Object.keys(typeOf.value(type)?.fields ?? {}).filter(
    (name) => changes.has(name) || reverted?.has(fieldOf(blockId, name)),
  )
  return (
    <section class="block-diff">
      <h3>
        {displayNameOf(type)} {statuses[status] && <b class={status}>{statuses[status]}</b>}
        {move && <small>{wordsOfMove(move)}</small>}
        {actions?.({ block, move, count: changes.size })}
      </h3>
      {status === 'added' && content && <Content block={content} />}
      {[...new Set([...names, ...changes.keys()])].map((name) => (
        <FieldLine
          key={name}
          action={changes.size > 1 && changes.has(name) && actions?.({ block, field: name })}
        >
          <FieldWords type={type} name={name} {...changes.get(name)} />
        </FieldLine>
      ))}
    </section>
  )
}

interface FieldWordsProps extends Partial<FieldChange> {
  readonly type: string
  readonly name: string
}

const FieldWords = ({ type, name, moves = [], diffs }: FieldWordsProps) => (
  <>
    {!diffs && <Reverted name={nameOfPath(type, name)} />}
    {moves.map(({ text, from, to }) => (
      <p key={from}>
        <small>{nameOfPath(type, name)}</small> <bdi>{text}</bdi>{' '}
        <small>
          {ordinal(from)} → {ordinal(to)}
        </small>
      </p>
    ))}
    {diffs?.map(({ path, kind, before, after }) => (
      <Difference
        key={`${path} ${typeof after}`}
        name={nameOfPath(type, path)}
        kind={kind}
        field={kindOfPath(type, path)}
        before={before}
        after={after}
      />
    ))}
  </>
)
