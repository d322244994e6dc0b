import type { ComponentChildren } from 'preact'
import { nameOf } from '../stores/block-types.ts'
import type { Block, Page } from '../stores/draft.ts'
import { changedIn, movesIn, ordinal, type IsNamed, type Move } from '../stores/moves.ts'
import type { PageDiff } from '../stores/review.ts'
import { rowMovesIn } from '../stores/row-moves.ts'
import { revertedWords, texts } from '../stores/reverted.ts'
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
  /** The blocks that keep their place although they no longer differ. */
  readonly reverted?: ReadonlySet<string | undefined>
  /** What can be done with the change of a block, or of the texts of the page. */
  readonly actions?: (block: BlockDiff | undefined, move: Move | undefined) => ComponentChildren
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
          <h3>Page {actions?.(undefined, undefined)}</h3>
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
            actions={actions?.(block, moves.get(block.blockId))}
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
  readonly content: Block | undefined
  readonly move: Move | undefined
  readonly actions: ComponentChildren
}

const statuses: Readonly<Record<string, string>> = { added: 'new', removed: 'deleted' }

function BlockChanges({ block, content, move, actions }: BlockChangesProps) {
  const { type, status, fieldDiffs = [] } = block
  const rows = content && status === 'modified' ? rowMovesIn(content.props, fieldDiffs) : []
  const others = fieldDiffs.filter(({ path }) => !rows.some(({ list }) => path.startsWith(`${list}[`)))
  return (
    <section class="block-diff">
      <h3>
        {nameOf(type)} {statuses[status] && <b class={status}>{statuses[status]}</b>}
        {move && (
          <small>
            <MoveWords move={move} />
          </small>
        )}
        {actions}
      </h3>
      {status === 'added' && content && <Content block={content} />}
      {rows.map(({ list, text, from, to }) => (
        <p key={`${list} ${from}`}>
          <small>{nameOfPath(type, list)}</small> <bdi>{text}</bdi>{' '}
          <small>
            {ordinal(from)} → {ordinal(to)}
          </small>
        </p>
      ))}
      {others.map(({ path, kind, before, after }) => (
        <Difference key={path} name={nameOfPath(type, path)} kind={kind} before={before} after={after} />
      ))}
    </section>
  )
}
