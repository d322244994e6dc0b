import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { ask, read, Unanswered, type Reply } from './ask.ts'
import { startFileService, type FileService } from './file-process.ts'
import { prove } from './processes.ts'

/** Rounds per folder; each round continues with what the one before has left. */
const roundsPerFolder = 10
const documents = Array.from({ length: 9 }, (_, n) => n)
const editors = 3
const fillers = Array.from({ length: 150 }, (_, n) => n)
/** Milliseconds after the first answer within which a process is killed. */
const killedWithinMs = 500
const at = { siteId: 'acme', session: 'dev' }

const Published = v.looseObject({ status: v.string() })
const DraftPage = v.looseObject({
  blocks: v.array(
    v.looseObject({ id: v.string(), props: v.looseObject({ text: v.optional(v.string(), '') }) }),
  ),
})
const Slugs = v.looseObject({ slugs: v.array(v.string()) })

/** Kills the service at random moments while it publishes into files, and checks files and drafts. */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } })
const rounds = Number(values.rounds)

const textOf = (n: number, part: number, value: number): string =>
  ['wood', 'sail', 'rope'].map((word) => `${word}${n}x${part}`).join(' ') + ` ${value}`
/** The three values of a document after so many edits. */
const valuesAfter = (edits: number): readonly number[] =>
  [0, 1, 2].map((part) => Math.max(0, edits - ((edits - part + 3) % 3)))
const documentOf = (n: number, edits: number): string =>
  `---\ntitle: Document ${n}   # as it is\n---\n` +
  valuesAfter(edits)
    .map((value, part) => `\n${textOf(n, part, value)}\n`)
    .join('') +
  fillers.map((each) => `\n* Filler ${each} of ${n}, with some more words\n\n<!-- ${each} -->\n`).join('')
const slugOf = (name: string): string => `/~content/${name}.md`
const shipOf = (name: string): string =>
  `---\ntitle: Ship ${name}\n---\n\nhull${name} keel${name}\n\nmast${name} deck${name}\n`

interface EditedFile {
  readonly n: number
  acknowledged: number
  attempted: number
  /** How many edits the site has for certain. */
  published: number
  readonly ids: readonly string[]
}

await prove('crash-files', async (folder) => {
  const sums = { kills: 0, answered: 0, published: 0, unanswered: 0, arrived: 0 }
  for (let first = 0; first < rounds; first += roundsPerFolder) {
    const site = join(folder, String(first))
    mkdirSync(join(site, 'content'), { recursive: true })
    writeFileSync(join(site, 'hugo.toml'), '')
    for (const n of documents) writeFileSync(join(site, `content/doc${n}.md`), documentOf(n, 0))
    for (const name of ['a', 'b']) writeFileSync(join(site, `content/${name}.md`), shipOf(name))
    const play = createPlay(site, join(folder, `data-${first}`), sums)
    let service = await play.start()
    try {
      await play.open(service)
      for (let round = first; round < Math.min(rounds, first + roundsPerFolder); round++) {
        await play.untilKilled(service)
        sums.kills += 1
        play.checkFiles(`round ${round}`)
        service = await play.start()
        await play.checkDraft(`round ${round}`, service)
      }
    } finally {
      service.kill()
      await service.gone
    }
  }
  if (sums.published === 0) throw new Error('nothing was published, so the result proves nothing')
  return (
    `${sums.kills} kills during ${sums.published} publishes of ${sums.answered} answered changes: none lost, no file half ` +
    `written; ${sums.arrived} of ${sums.unanswered} without an answer had arrived`
  )
})

function createPlay(site: string, dataDir: string, sums: Record<string, number>) {
  let all: readonly EditedFile[] = []
  /** How often the two ships have changed their places. */
  const swaps = { acknowledged: 0, attempted: 0 }
  const add = (what: string, number = 1): void => void (sums[what] = (sums[what] ?? 0) + number)
  const file = (name: string): string => readFileSync(join(site, `content/${name}.md`), 'utf8')

  const pageOf = async ({ port }: FileService, name: string) => {
    const query = new URLSearchParams({ ...at, slug: slugOf(name) })
    return read(await ask({ port }, { path: `/draft/pages?${query}` }), DraftPage)
  }
  const send = ({ port }: FileService, path: string, body: object): Promise<Reply> =>
    ask({ port }, { method: 'POST', path, body: { ...at, ...body } })

  async function change(service: FileService, ops: readonly object[]): Promise<void> {
    const reply = await send(service, '/ops', { ops })
    if (reply.status !== 200) throw new Error(`a change was refused: ${reply.text}`)
    add('answered')
  }
  async function edit(service: FileService, document: EditedFile): Promise<void> {
    const edits = document.acknowledged + 1
    const part = edits % 3
    document.attempted = edits
    const patch = { text: textOf(document.n, part, edits) }
    const blockId = document.ids[part]
    await change(service, [{ op: 'update_props', pageSlug: slugOf(`doc${document.n}`), blockId, patch }])
    document.acknowledged = edits
  }
  async function swap(service: FileService): Promise<void> {
    swaps.attempted = swaps.acknowledged + 1
    const rename = (from: string, to: string) => ({
      op: 'rename_page',
      pageSlug: slugOf(from),
      newPageSlug: slugOf(to),
    })
    await change(service, [rename('a', 'aside'), rename('b', 'a'), rename('aside', 'b')])
    swaps.acknowledged += 1
  }
  async function publish(service: FileService): Promise<void> {
    const before = all.map(({ acknowledged }) => acknowledged)
    const reply = await send(service, '/publish', {})
    const { status } = v.parse(Published, JSON.parse(reply.text))
    if (status !== 'ready') throw new Error(`a publish failed: ${reply.text}`)
    for (const [n, document] of all.entries()) document.published = before[n] ?? 0
    add('published')
  }

  return {
    start: () => startFileService(site, dataDir),
    /** Reads the ids of the paragraphs, which stay the same. */
    async open(service: FileService): Promise<void> {
      all = await Promise.all(
        documents.map(async (n) => {
          const { blocks } = await pageOf(service, `doc${n}`)
          const texts = blocks.filter(({ props }) => props.text.includes(`${n}x`))
          return { n, acknowledged: 0, attempted: 0, published: 0, ids: texts.map(({ id }) => id) }
        }),
      )
    },
    /** Edits and publishes until the process is gone. */
    async untilKilled(service: FileService): Promise<void> {
      const over = new AbortController()
      const loop = async (work: (n: number) => Promise<void>): Promise<void> => {
        for (let n = 0; !over.signal.aborted; n += 1) await work(n)
      }
      const lost = (error: unknown): void => {
        if (!(error instanceof Unanswered)) throw error
        add('unanswered')
      }
      const own = (editor: number) => all.filter(({ n }) => n % editors === editor)
      const loops = [
        ...Array.from({ length: editors }, (_, editor) =>
          loop(async (n) => {
            const documents = own(editor)
            const document = documents[n % documents.length]
            if (document) await edit(service, document)
          }),
        ),
        loop(async () => {
          await swap(service)
          await pause(Math.random() * 60)
        }),
        loop(() => publish(service)),
      ]
      const ended = loops.map((each) => each.catch(lost))
      const failed = Promise.all(ended)
      const before = sums['published'] ?? 0
      while ((sums['published'] ?? 0) === before) await Promise.race([pause(5), failed])
      await Promise.race([pause(Math.random() * killedWithinMs), failed])
      service.kill()
      await service.gone
      over.abort()
      await failed
    },
    /** Each file is as it was before a publish or as it is after one. */
    checkFiles(when: string): void {
      for (const { n, published, attempted } of all) {
        const text = file(`doc${n}`)
        const states = Array.from({ length: attempted - published + 1 }, (_, more) => published + more)
        if (!states.some((edits) => documentOf(n, edits) === text))
          throw new Error(
            `${when}: document ${n} has none of its states ${published} to ${attempted}: ${text.slice(0, 200)}`,
          )
      }
      for (const name of ['a', 'b'])
        if (!['a', 'b'].some((each) => shipOf(each) === file(name))) throw new Error(`${when}: ${file(name)}`)
    },
    /** The draft has what was acknowledged; then it is published, and files and draft are equal. */
    async checkDraft(when: string, service: FileService): Promise<void> {
      for (const document of all) {
        const { blocks } = await pageOf(service, `doc${document.n}`)
        const texts = document.ids.map((id) => blocks.find((each) => each.id === id)?.props.text)
        const states = [document.acknowledged, document.attempted]
        const state = states.find(
          (edits) =>
            texts.join() ===
            valuesAfter(edits)
              .map((value, part) => textOf(document.n, part, value))
              .join(),
        )
        if (state === undefined)
          throw new Error(
            `${when}: of document ${document.n}, ${document.acknowledged} edits were answered: ${texts}`,
          )
        if (state > document.acknowledged) add('arrived')
        document.acknowledged = state
      }
      const first = (await pageOf(service, 'a')).blocks[0]?.props.text
      const swapped = [swaps.acknowledged, swaps.attempted].find(
        (each) => first === (each % 2 === 0 ? 'hulla keela' : 'hullb keelb'),
      )
      if (swapped === undefined)
        throw new Error(`${when}: the draft has ${first} after ${swaps.acknowledged} swaps`)
      swaps.acknowledged = swapped
      await publish(service)
      for (const { n, acknowledged } of all)
        if (file(`doc${n}`) !== documentOf(n, acknowledged))
          throw new Error(`${when}: ${n} is not as the draft has it`)
      for (const [here, there] of [
        ['a', 'b'],
        ['b', 'a'],
      ] as const)
        if (file(here) !== shipOf(swapped % 2 === 0 ? here : there)) throw new Error(`${when}: ${file(here)}`)
      const { slugs } = read(
        await ask({ port: service.port }, { path: `/draft/slugs?${new URLSearchParams(at)}` }),
        Slugs,
      )
      if (slugs.length !== documents.length + 2) throw new Error(`${when}: the draft has ${slugs}`)
      const left = readdirSync(join(site, 'content')).filter((name) => !/^(?:doc\d+|[ab])\.md$/.test(name))
      if (left.length > 0) throw new Error(`${when}: ${left} were left behind`)
    },
  }
}
