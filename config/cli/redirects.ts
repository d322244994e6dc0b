import { resolve } from 'node:path'
import { redirectsIn } from '../../plugins/content/redirects.ts'
import { encodedAddress } from '../../plugins/content/site-address.ts'
import { readContentFile } from '../../plugins/site/port.ts'
import { CommandError, defineCommand, UsageError } from './shared/command.ts'

type Pair = readonly [from: string, to: string]

/** How hosts of static sites write permanent redirects. */
const formats: Readonly<Record<string, (redirects: readonly Pair[]) => string>> = {
  _redirects: (redirects) =>
    redirects.map(([from, to]) => `${encodedAddress(from)} ${encodedAddress(to)} 308`).join('\n'),
  'vercel.json': (redirects) =>
    JSON.stringify(
      {
        redirects: redirects.map(([from, to]) => ({
          source: encodedAddress(from),
          destination: encodedAddress(to),
          permanent: true,
        })),
      },
      null,
      2,
    ),
}
const defaultFile = 'content/pages.json'

export const redirects = defineCommand({
  name: 'redirects',
  summary: 'Prints the redirects of a content file, as hosts of static sites read them.',
  flags: { format: { value: 'FORMAT', help: `${Object.keys(formats).join(' or ')}; default: _redirects.` } },
  operand: '[FILE]',
  async run(given, io, file = defaultFile) {
    const name = given.get('format') ?? '_redirects'
    const write = Object.hasOwn(formats, name) ? formats[name] : undefined
    if (!write) throw new UsageError(`unknown format '${name}': use ${Object.keys(formats).join(' or ')}`)
    const { content, isMissing } = await readContentFile(resolve(io.cwd, file)).catch((error: unknown) => {
      throw new CommandError(error instanceof Error ? error.message : String(error))
    })
    if (isMissing)
      throw new CommandError(`There is no content file ${file}; name it, such as ${defaultFile}.`)
    io.print(write(Object.entries(redirectsIn(content.redirects ?? []))))
  },
})
