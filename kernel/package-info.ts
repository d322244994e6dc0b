import info from '../package.json' with { type: 'json' }

/** The version of this package. */
export const version: string = info.version

/** The supported versions of Node, such as `^22.22.3 || >=24.15`. */
export const nodeRange: string = info.engines.node

/** Returns a message if Node is too old; `undefined` if it is not, or on another runtime. */
export function whyTooOld(node: string | undefined = globalThis.process?.versions?.node): string | undefined {
  if (node === undefined || isWithin(node, nodeRange)) return undefined
  return `content-orchestrator needs Node ${nodeRange}, and this is ${node}. Get one at https://nodejs.org.`
}

/** True if a Node version satisfies a range of the forms `^22.22.3`, `>=24.15` and `a || b`. */
export function isWithin(version: string, range: string): boolean {
  const [major = 0, minor = 0, patch = 0] = numbers(version)
  return range.split('||').some((part) => {
    const [wantedMajor = 0, wantedMinor = 0, wantedPatch = 0] = numbers(part)
    const isLater = minor > wantedMinor || (minor === wantedMinor && patch >= wantedPatch)
    return (major === wantedMajor && isLater) || (part.trim().startsWith('>=') && major > wantedMajor)
  })
}

const numbers = (version: string): readonly number[] => (version.match(/\d+/g) || []).map(Number)
