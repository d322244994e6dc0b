import { isIP } from 'node:net'
import * as v from 'valibot'
import { withoutTrailingSlash } from '../kernel/std/without-trailing-slash.ts'
import { isLoopback, TrustedProxies } from '../plugins/auth/port.ts'
import { toShown } from './secrets.ts'

/** Parsers of flags, variables and configuration values. Every message names the expected form. */

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export const LogLevel = v.picklist(levels, 'expected trace, debug, info, warn, error, fatal or silent')
export type LogLevel = v.InferOutput<typeof LogLevel>

const portExpected = 'expected a port number from 0 to 65535'
export const Port = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/, portExpected),
  v.transform(Number),
  v.maxValue(65_535, portExpected),
)

const secondsExpected = 'expected whole seconds from 0 to 60'
export const Seconds = v.pipe(
  v.string(),
  v.regex(/^\d{1,2}$/, secondsExpected),
  v.transform(Number),
  v.maxValue(60, secondsExpected),
)

const isHostName = (text: string): boolean => /^(?!-)[a-z\d-]+(?:\.[a-z\d-]+)*\.?$/i.test(text)
export const Host = v.pipe(
  v.string(),
  v.transform((text) => text.replace(/^\[(.*)\]$/, '$1')),
  v.check(
    (text) => isIP(text) > 0 || isHostName(text),
    'expected an address such as 127.0.0.1, or a host name, without scheme and port',
  ),
)
export const Folder = v.pipe(v.string(), v.nonEmpty('expected a folder'))

/** Parses an http or https address without login and query; drops trailing slashes. */
export function toAddress(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined
  const isPlain = [url.search, url.hash, url.username, url.password].every((part) => part === '')
  return isPlain ? withoutTrailingSlash(url.href) : undefined
}

/** Parses an address that is only an origin; drops trailing slashes. */
export function toOrigin(text: string): string | undefined {
  const url = URL.parse(toAddress(text) ?? '')
  return url?.pathname === '/' ? url.origin : undefined
}

export const originExpected = 'expected an origin such as https://editor.example, without a path'
export const Origin = v.pipe(
  v.string(),
  v.rawTransform<string, string>(({ dataset, addIssue, NEVER }) => {
    const origin = toOrigin(dataset.value)
    if (origin !== undefined) return origin
    addIssue({ message: `${originExpected}, instead of '${toShown('', dataset.value)}'` })
    return NEVER
  }),
)

const listOf = v.transform((text: string) =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== ''),
)
/** A comma-separated list of unique origins. */
export const Origins = v.pipe(
  v.string(),
  listOf,
  v.array(Origin),
  v.transform((origins) => [...new Set(origins)]),
)

const HostName = v.pipe(
  v.string(),
  v.check(isHostName, ({ input }) => `expected host names without scheme and port, instead of '${input}'`),
  v.toLowerCase(),
)
/** A comma-separated list of host names. */
export const HostNames = v.pipe(v.string(), listOf, v.array(HostName))
/** A comma-separated list of IP addresses and networks, parsed like in plugins. */
export const Proxies = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? v.safeParse(TrustedProxies, dataset.value).issues?.[0].message : undefined
    if (message !== undefined) addIssue({ message })
  }),
  listOf,
)

/** True for an origin that only this machine can reach. */
export const isLocal = (origin: string): boolean =>
  isLoopback(new URL(origin).hostname.replace(/^\[|\]$/g, ''))

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
