import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

function cpuTimes() {
  const times = cpus().map((cpu) => cpu.times)
  const idle = times.reduce((sum, each) => sum + each.idle, 0)
  return { idle, all: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle) }
}

/** Returns the share of the CPU that other programs take while this one waits for two seconds. */
export async function busyShare(): Promise<number> {
  const before = cpuTimes()
  await pause(2000)
  const after = cpuTimes()
  return 1 - (after.idle - before.idle) / (after.all - before.all)
}
