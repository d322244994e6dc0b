import type { EditorPage } from 'content-orchestrator/site'
import type { ReactNode } from 'react'

type Block = NonNullable<EditorPage['page']>['blocks'][number]

/** The component of each block type. */
const looks: Readonly<Record<string, (props: Block['props']) => ReactNode>> = {
  Hero: ({ heading, subheading }) => (
    <>
      <h1>{text(heading)}</h1>
      <p>{text(subheading)}</p>
    </>
  ),
  RichText: ({ title, body }) => (
    <>
      <h2>{text(title)}</h2>
      <p>{text(body)}</p>
    </>
  ),
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return blocks.map(({ id, type, props }) => (
    <section key={id} data-block-id={id}>
      {looks[type]?.(props)}
    </section>
  ))
}
