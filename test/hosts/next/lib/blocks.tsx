import type { EditorPage } from 'content-orchestrator/site'
import { marks } from 'content-orchestrator/site/bridge'
import type { ReactNode } from 'react'

type Block = NonNullable<EditorPage['page']>['blocks'][number]

/** The component of each block type. The marks say which field an element shows, so that it can be edited on the page. */
const looks: Readonly<Record<string, (block: Block) => ReactNode>> = {
  Hero: (block) => (
    <>
      <h1 {...marks(block, 'heading')}>{text(block.props['heading'])}</h1>
      <p {...marks(block, 'subheading')}>{text(block.props['subheading'])}</p>
      <Link block={block} />
      <span {...marks(block, 'imageUrl', { kind: 'image' })}>
        <img src={text(block.props['imageUrl'])} alt={text(block.props['imageAlt'])} height={90} />
      </span>
    </>
  ),
  RichText: (block) => (
    <>
      <h2 {...marks(block, 'title')}>{text(block.props['title'])}</h2>
      <div {...marks(block, 'body', { kind: 'richtext' })}>
        {text(block.props['body'])
          .split(/\n{2,}/)
          .map((each, at) => (
            <p key={at}>{each}</p>
          ))}
      </div>
    </>
  ),
  CardGrid: (block) => (
    <>
      <h2 {...marks(block, 'title')}>{text(block.props['title'])}</h2>
      <ul>
        {rows(block.props['cards']).map((card, at) => (
          <li key={at} {...marks(block, `cards[${at}]`)}>
            <h3 {...marks(block, `cards[${at}].title`)}>{text(card['title'])}</h3>
            <p {...marks(block, `cards[${at}].description`)}>{text(card['description'])}</p>
          </li>
        ))}
      </ul>
    </>
  ),
  CTA: (block) => (
    <>
      <h2 {...marks(block, 'title')}>{text(block.props['title'])}</h2>
      <Link block={block} />
    </>
  ),
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const rows = (value: unknown): readonly Readonly<Record<string, unknown>>[] => (Array.isArray(value) ? value : [])

function Link({ block }: { readonly block: Block }) {
  const { ctaText, ctaHref } = block.props
  return (
    <a href={text(ctaHref)} {...marks(block, 'ctaText')}>
      {text(ctaText)}
    </a>
  )
}

export function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return blocks.map((block) => (
    <section key={block.id} {...marks(block)}>
      {looks[block.type]?.(block)}
    </section>
  ))
}
