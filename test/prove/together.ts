import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { ask, read, type Reply } from './ask.ts'
import { startFileService } from './file-process.ts'
import { prove } from './processes.ts'

/**
 * An editor publishes and a developer saves at the same time, round after round, through a service that watches
 * the folder: at the end of each round the files and the draft have what both have written.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, documents: { type: 'string', default: '6' } },
})
const rounds = Number(values.rounds)
const documents = Array.from({ length: Number(values.documents) }, (_, n) => n)
const at = { siteId: 'acme', session: 'dev' }
/** Within so many milliseconds, both begin. */
const startedWithinMs = 40
const sides = ['editor', 'developer'] as const
type Side = (typeof sides)[number]

const Published = v.looseObject({ status: v.string(), code: v.optional(v.string()) })
const DraftPage = v.looseObject({
  blocks: v.array(
    v.looseObject({ id: v.string(), props: v.looseObject({ text: v.optional(v.string(), '') }) }),
  ),
})

const partOf = (n: number, side: Side, value: number): string =>
  `${side}${n} wood${n}${side} sail${n}${side} ${value}`
const documentOf = (n: number, written: Readonly<Record<Side, number>>): string =>
  `---\ntitle: Document ${n}   # as it is\n---\n\n${sides.map((side) => partOf(n, side, written[side])).join('\n\n')}\n`

await prove('together', async (folder) => {
  const site = join(folder, 'site')
  mkdirSync(join(site, 'content'), { recursive: true })
  writeFileSync(join(site, 'hugo.toml'), '')
  const place = (n: number): string => join(site, `content/doc${n}.md`)
  for (const n of documents) writeFileSync(place(n), documentOf(n, { editor: 0, developer: 0 }))
  const service = await startFileService(site, join(folder, 'data'))
  const { port } = service
  const sums = { published: 0, repeated: 0, saved: 0 }
  const send = (path: string, body: object): Promise<Reply> =>
    ask({ port }, { method: 'POST', path, body: { ...at, ...body } })
  const pageOf = async (n: number) => {
    const query = new URLSearchParams({ ...at, slug: `/~content/doc${n}.md` })
    return read(await ask({ port }, { path: `/draft/pages?${query}` }), DraftPage)
  }

  async function publish(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const { text } = await send('/publish', {})
      const { status, code } = v.parse(Published, JSON.parse(text))
      if (status === 'ready') return void (sums.published += 1)
      if (!['site_changed', 'file_changed'].includes(code ?? '') || tries > 5)
        throw new Error(`a publish failed: ${text}`)
      sums.repeated += 1
    }
  }
  async function edit(round: number, ids: readonly string[]): Promise<void> {
    await pause(Math.random() * startedWithinMs)
    const ops = documents.map((n) => ({
      op: 'update_props',
      pageSlug: `/~content/doc${n}.md`,
      blockId: ids[n],
      patch: { text: partOf(n, 'editor', round) },
    }))
    read(await send('/ops', { ops }), v.unknown())
    await publish()
  }
  const developed = (n: number, round: number): string =>
    readFileSync(place(n), 'utf8').replace(/^developer.*$/m, partOf(n, 'developer', round))
  /** Saves each file as an editor of code does: with what it has at that moment, in place or by a new file. */
  async function develop(round: number): Promise<void> {
    await pause(Math.random() * startedWithinMs * 2)
    for (const n of documents) {
      await pause(Math.random() * 10)
      if (round % 2 === 0) writeFileSync(place(n), developed(n, round))
      else {
        // What was published since it was read would be lost, as no file system renames on a condition.
        for (let text = ''; text !== developed(n, round);)
          writeFileSync(`${place(n)}.swp`, (text = developed(n, round)))
        renameSync(`${place(n)}.swp`, place(n))
      }
      sums.saved += 1
    }
  }

  try {
    const pages = await Promise.all(documents.map(pageOf))
    const ids = pages.map(
      ({ blocks }) => blocks.find(({ props }) => props.text.startsWith('editor'))?.id ?? '',
    )
    for (let round = 1; round <= rounds; round += 1) {
      await Promise.all([edit(round, ids), develop(round)])
      await publish()
      for (const n of documents) {
        const wanted = documentOf(n, { editor: round, developer: round })
        const text = readFileSync(place(n), 'utf8')
        if (text !== wanted) throw new Error(`round ${round}: document ${n} is ${text}`)
        const { blocks } = await pageOf(n)
        const texts = blocks.map(({ props }) => props.text).join()
        if (texts !== sides.map((side) => partOf(n, side, round)).join())
          throw new Error(`round ${round}: the draft has ${texts}`)
        if (!blocks.some(({ id }) => id === ids[n]))
          throw new Error(`round ${round}: a paragraph is another one`)
      }
    }
    return (
      `${rounds} rounds in which an editor published ${sums.published} times and a developer saved ${sums.saved} files: ` +
      `none lost; ${sums.repeated} publishes were repeated`
    )
  } finally {
    service.kill()
    await service.gone
  }
})
