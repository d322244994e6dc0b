import {
  dataFile,
  documentFile,
  htmlTexts,
  slugOfPath,
  syntaxes,
  templateFile,
} from '../../plugins/files/port.ts'
import type { Page } from '../../plugins/content/page.ts'
import { titleFromSlug } from '../../plugins/content/slugs.ts'

const kinds = {
  md: ['document', documentFile()],
  mdx: ['document', documentFile({ mdx: true })],
  html: ['template', templateFile(htmlTexts)],
  yaml: ['data', dataFile(syntaxes.yaml)],
} as const

/** A file as a page of content, with ids of its path and the positions of its blocks. */
export function filePage(path: string, text: string): Page {
  const [kind, file] = kinds[path.slice(path.lastIndexOf('.') + 1) as keyof typeof kinds]
  const reading = file.read(text)
  if ('unreadable' in reading) throw new Error(reading.unreadable)
  const { title, heading, description, blocks } = reading
  return {
    id: path,
    slug: slugOfPath(path),
    title: title ?? heading ?? titleFromSlug(slugOfPath(path)),
    updatedAt: '2026-01-01T00:00:00.000Z',
    blocks: blocks.map(({ type, props }, n) => ({ id: `${path}#${n}`, type, props })),
    ...(description !== undefined && { meta: { description } }),
    document: { path, kind, ...(title === undefined && heading === undefined && { isUntitled: true }) },
  }
}
