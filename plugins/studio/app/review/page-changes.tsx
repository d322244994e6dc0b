import type { ComponentChildren } from 'preact'
import { nameOf, typeOf } from '../stores/block-types.ts'
import type { Block, Page } from '../stores/draft.ts'
import { changedIn, movesIn, ordinal, type IsNamed, type Move } from '../stores/moves.ts'
import type { PageDiff } from '../stores/review.ts'
import { fieldOf, revertedWords, texts } from '../stores/reverted.ts'
import { fieldChanges, type FieldChange } from '../stores/row-changes.ts'
import { metaNames, nameOfPath } from '../stores/words.ts'
import { Difference } from './difference.tsx'
import { Content } from './new-content.tsx'

type BlockDiff = PageDiff['blockDiffs'][number]

interface PageChangesProps {
  readonly page: PageDiff
  /** Whether the log names blocks of a type as moved. */
  readonly isNamed: IsNamed
  /** The page with the changes, for the content of new blocks and the rows of lists. */
  readonly content?: Page | undefined
  /** The blocks and fields that keep their place although they no longer differ. */
  readonly reverted?: ReadonlySet<string | undefined> | undefined
  readonly actions?: ((part: Part) => ComponentChildren) | undefined
}

/** What can be reverted: the texts of the page, a block, one of its several fields, or its move. */
export interface Part {
  readonly block?: BlockDiff
  readonly move?: Move | undefined
  readonly field?: string
  /** The number of fields that a block as a whole has changed. */
  readonly count?: number
}

/** The changes of one page, block by block, in the words of the page. */
export function PageChanges({ page, isNamed, content, reverted, actions }: PageChangesProps) {
  const { titleBefore, titleAfter, metaDiffs = [], blockDiffs } = page
  const moves = movesIn(blockDiffs, isNamed)
  const hasTexts = titleBefore !== undefined || metaDiffs.length > 0
  const changed = new Set(changedIn(blockDiffs, isNamed))
  return (
    <>
      {hasTexts && (
        <section class="block-diff">
          <h3>Page {actions?.({})}</h3>
          {titleBefore !== undefined && <Difference name="Title" before={titleBefore} after={titleAfter} />}
          {metaDiffs.map(({ path, kind, before, after }) => (
            <Difference key={path} name={metaNames[path] ?? path} kind={kind} before={before} after={after} />
          ))}
        </section>
      )}
      {!hasTexts && reverted?.has(texts) && <RevertedPart name="Page" />}
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
          reverted?.has(block.blockId) && <RevertedPart key={block.blockId} name={nameOf(block.type)} />
        ),
      )}
    </>
  )
}

export const RevertedPart = ({ name }: { readonly name: string }) => (
  <section class="block-diff">
    <h3>
      {name} <span class="grow" />
      <small>{revertedWords}</small>
    </h3>
  </section>
)

/** What else came or went may leave a block that moved at the same place of the page. */
const MoveWords = ({ move: { from, to } }: { readonly move: Move }) =>
  from === to ? <>moved</> : <>{`${ordinal(from)} → ${ordinal(to)}`}</>

interface BlockChangesProps {
  readonly block: BlockDiff
  readonly reverted: PageChangesProps['reverted']
  readonly actions: PageChangesProps['actions']
  readonly content: Block | undefined
  readonly move: Move | undefined
}

const statuses: Readonly<Record<string, string>> = { added: 'new', removed: 'deleted' }

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
        {nameOf(type)} {statuses[status] && <b class={status}>{statuses[status]}</b>}
        {move && (
          <small>
            <MoveWords move={move} />
          </small>
        )}
        {actions?.({ block, move, count: changes.size })}
      </h3>
      {status === 'added' && content && <Content block={content} />}
      {[...new Set([...names, ...changes.keys()])].map((name) => (
        <div key={name} class="field-diff">
          <div class="grow">
            <FieldWords type={type} name={name} {...changes.get(name)} />
          </div>
          {changes.size > 1 && changes.has(name) && actions?.({ block, field: name })}
        </div>
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
    {!diffs && (
      <p class="soft">
        {nameOfPath(type, name)}: {revertedWords}
      </p>
    )}
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
        before={before}
        after={after}
      />
    ))}
  </>
)
