/** Local servers with the answers and errors of Unsplash, Contentful, Sanity and Strapi. */
import type { RequestListener } from 'node:http'
import { answering, endless, htmlPage, redirecting, type AnswerWriter } from './answers.ts'
import { startSite, type UpstreamSite } from './upstream.ts'

type Test = Parameters<typeof startSite>[0]

export interface ProviderServer extends UpstreamSite {
  /** Answers every further request with this fault; without one, normally again. */
  fail(fault?: AnswerWriter): void
}

/** An image that every provider has, in the terms of that provider. */
export interface Shot {
  readonly id: string
  readonly name: string
  readonly alt: string
  /** Replaces the address of the provider. */
  readonly url?: string
}

export const shots: readonly Shot[] = [
  { id: 'LBI7cgq3pbM', name: 'lake-at-dawn.jpg', alt: 'A lake at dawn' },
  { id: 'a-b_c-d_e-f', name: 'red kayak.jpg', alt: 'A red kayak' },
  { id: 'Zx9Zx9Zx9Zx', name: 'lake-house.png', alt: '' },
]

type Reply = (
  url: URL,
  headers: Readonly<Record<string, unknown>>,
) => readonly [status: number, json: unknown, headers?: Readonly<Record<string, string>>]

async function start(
  t: Test,
  answer: Reply,
  type = 'application/json; charset=utf-8',
): Promise<ProviderServer> {
  let fault: AnswerWriter | undefined
  const listener: RequestListener = (request, response) => {
    if (fault) return fault(response)
    const [status, json, more] = answer(new URL(request.url ?? '/', 'http://provider'), request.headers)
    response.writeHead(status, { 'content-type': type, ...more }).end(JSON.stringify(json))
  }
  const site = await startSite(t, listener)
  return { ...site, fail: (next) => void (fault = next) }
}

const matching = (all: readonly Shot[], query: string | null): readonly Shot[] =>
  all.filter(({ name, alt }) => `${name} ${alt}`.toLowerCase().includes((query ?? '').toLowerCase()))
const pageOf = (all: readonly Shot[], first: number, count: number): readonly Shot[] =>
  all.slice(first, first + count)
const numberIn = (url: URL, name: string): number => Number(url.searchParams.get(name))

export const keys = {
  unsplash: 'unsplash-key-of-the-test',
  contentful: 'contentful-token-of-the-test',
  strapi: 'strapi-token-of-the-test',
} as const

let searches = 0

/** As https://api.unsplash.com answers; every search gives the same photo a new address, as the API does. */
export const startUnsplash = (t: Test, all: readonly Shot[] = shots): Promise<ProviderServer> =>
  start(t, (url, { authorization, 'accept-version': version }) => {
    if (authorization !== `Client-ID ${keys.unsplash}` || version !== 'v1')
      return [401, { errors: ['OAuth error: The access token is invalid'] }]
    const chosen = /^\/photos\/([^/]+)\/download$/.exec(url.pathname)?.[1]
    if (chosen !== undefined) {
      return all.some(({ id }) => id === chosen)
        ? [200, { url: `https://images.unsplash.com/photo-${chosen}?ixid=x` }]
        : [404, { errors: ["Couldn't find Photo"] }]
    }
    const ixid = `M3w${++searches}`
    const toPhoto = ({ id, alt, url: own }: Shot) => ({
      id,
      slug: `photo-${id}`,
      width: 6000,
      height: 4000,
      description: null,
      alt_description: alt === '' ? null : alt,
      urls: {
        raw: `https://images.unsplash.com/photo-${id}`,
        regular: own ?? `https://images.unsplash.com/photo-${id}?ixid=${ixid}&w=1080`,
        small: `https://images.unsplash.com/photo-${id}?ixid=${ixid}&w=400`,
      },
      links: {
        html: `https://unsplash.com/photos/${id}`,
        download_location: `https://api.unsplash.com/photos/${id}/download?ixid=${ixid}`,
      },
      user: { id: 'u1', username: 'ada', name: 'Ada Lovelace', links: { html: 'https://unsplash.com/@ada' } },
    })
    const known = all.find(({ id }) => url.pathname === `/photos/${id}`)
    if (known) return [200, toPhoto(known)]
    if (url.pathname !== '/search/photos') return [404, { errors: ['Not found'] }]
    const found = matching(all, url.searchParams.get('query'))
    const count = numberIn(url, 'per_page')
    const results = pageOf(found, (numberIn(url, 'page') - 1) * count, count).map(toPhoto)
    return [200, { total: found.length, total_pages: Math.ceil(found.length / count), results }]
  })

/** As https://cdn.contentful.com answers. */
export const startContentful = (t: Test, all: readonly Shot[] = shots): Promise<ProviderServer> =>
  start(
    t,
    (url, { authorization }) => {
      if (authorization !== `Bearer ${keys.contentful}`)
        return [
          401,
          {
            sys: { type: 'Error', id: 'AccessTokenInvalid' },
            message: 'The access token you sent could not be found or is invalid.',
          },
        ]
      if (
        url.pathname !== '/spaces/space1/environments/master/assets' ||
        url.searchParams.get('mimetype_group') !== 'image'
      )
        return [404, { sys: { type: 'Error', id: 'NotFound' } }]
      const found = matching(all, url.searchParams.get('query'))
      const [skip, limit] = [numberIn(url, 'skip'), numberIn(url, 'limit')]
      const items = pageOf(found, skip, limit).map(({ id, name, alt, url: own }) => ({
        sys: { id, type: 'Asset' },
        fields: {
          title: name,
          ...(alt !== '' && { description: alt }),
          file: {
            url: own ?? `//images.ctfassets.net/space1/${id}/${encodeURIComponent(name)}`,
            contentType: 'image/jpeg',
            fileName: name,
          },
        },
      }))
      return [200, { sys: { type: 'Array' }, total: found.length, skip, limit, items }]
    },
    'application/vnd.contentful.delivery.v1+json',
  )

/** As `https://<project>.api.sanity.io` answers the two queries of the service, with their parameters bound. */
export const startSanity = (t: Test, all: readonly Shot[] = shots): Promise<ProviderServer> =>
  start(t, (url) => {
    if (url.pathname !== '/v2024-01-01/data/query/production')
      return [404, { error: { description: 'Dataset not found', type: 'notFoundError' } }]
    const groq = url.searchParams.get('query') ?? ''
    const parameter = url.searchParams.get('$q')
    const filter = `*[_type == "sanity.imageAsset"${parameter === null ? '' : ' && originalFilename match $q'}]`
    const term = parameter === null ? '' : String(JSON.parse(parameter)).replaceAll('*', '')
    const found = all.filter(({ name }) => name.includes(term))
    if (groq === `count(${filter})`) return [200, { query: groq, result: found.length, ms: 1 }]
    const [, first, last] = /\[(\d+)\.\.(\d+)\]/.exec(groq) ?? []
    if (
      groq !==
      `${filter} | order(_createdAt desc) [${first}..${last}]{_id, originalFilename, url, altText, title, description}`
    )
      return [400, { error: { description: 'expected "]" following expression', type: 'queryParseError' } }]
    const result = pageOf(found, Number(first), Number(last) - Number(first) + 1).map(
      ({ id, name, alt, url: own }) => ({
        _id: `image-${id}`,
        originalFilename: name,
        url: own ?? `https://cdn.sanity.io/images/p/production/${id}.jpg`,
        altText: alt === '' ? null : alt,
        title: null,
        description: null,
      }),
    )
    return [200, { query: groq, result, ms: 1 }]
  })

/** As an installation of Strapi answers; some send no total, and some do not page. */
export const startStrapi = (
  t: Test,
  all: readonly Shot[] = shots,
  { counts = true, pages = true } = {},
): Promise<ProviderServer> =>
  start(t, (url, { authorization }) => {
    const refused = (status: number, name: string) =>
      [status, { data: null, error: { status, name, message: name, details: {} } }] as const
    if (authorization !== `Bearer ${keys.strapi}`) return refused(401, 'UnauthorizedError')
    if (
      url.pathname !== '/cms/api/upload/files' ||
      url.searchParams.get('filters[mime][$startsWith]') !== 'image'
    )
      return refused(404, 'NotFoundError')
    const found = matching(all, url.searchParams.get('filters[name][$containsi]'))
    const count = numberIn(url, 'pagination[pageSize]')
    const files = (pages ? pageOf(found, (numberIn(url, 'pagination[page]') - 1) * count, count) : found).map(
      ({ id, name, alt, url: own }, at) => ({
        id: at + 1,
        name,
        alternativeText: alt === '' ? null : alt,
        mime: 'image/jpeg',
        url: own ?? `/uploads/${id}.jpg`,
        formats: at === 0 ? { thumbnail: { url: `/uploads/thumbnail_${id}.jpg` } } : null,
      }),
    )
    return [200, files, counts ? { 'x-total-count': String(found.length) } : {}]
  })

/** A marker that must not be passed on. */
export const said = 'the provider says so'

/** Faults of a provider, and the reason that is reported. */
export const faults: readonly (readonly [name: string, fault: AnswerWriter, reason: RegExp])[] = [
  ['a refused key', answering(401, { errors: [said] }), /did not accept the credential\. Check [A-Z]/],
  [
    'too many requests',
    answering(403, 'Rate Limit Exceeded', { 'content-type': 'text/html', 'x-ratelimit-remaining': '0' }),
    /as many requests as it does for now/,
  ],
  [
    'too many requests, in other words',
    answering(429, { message: said }),
    /as many requests as it does for now/,
  ],
  ['no access', answering(403, { error: said }), /did not accept the credential/],
  [
    'nothing there',
    answering(404, { error: said }),
    /did not accept the request and answered 404\. Check [A-Z]/,
  ],
  ['a failure', answering(503, { error: said }), /does not work at the moment/],
  ['a page', htmlPage(200, said), /another kind of content/],
  ['half a JSON', answering(200, '{"results":['), /not JSON/],
  ['JSON of another shape', answering(200, { message: said }), /in a form that is not known here/],
  [
    'a redirect into a private network',
    redirecting('http://169.254.169.254/latest/meta-data'),
    /another address, which is not followed/,
  ],
  ['a broken connection', (response) => void response.socket?.destroy(), /could not be reached or broke off/],
  ['an answer without end', endless, /more than is accepted here/],
]

/** No answer at all. */
export const silent: AnswerWriter = () => undefined
