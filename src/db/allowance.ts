import { INVOCATION } from '../lib/budgets.ts'
import { ApiError } from '../lib/errors.ts'

/** The most that a step takes. */
export type Cost = {
  statements?: number
  /** Requests to other servers, and to the bucket of images. */
  requests?: number
  /** Milliseconds of CPU, a step of which the size is not known yet: one. */
  cpuMs?: number
  /** Milliseconds until it ends. */
  ms?: number
}

/** A write that would take more statements than are left. It is the fault of nothing but its size, or of what was done before it. */
export class OutOfAllowance extends ApiError {
  constructor() {
    super('rest_service_unavailable', 'This takes more statements than are left to this run.')
  }
}

/**
 * What an invocation may still take. `Database` counts its statements here, and whatever asks other servers its requests. Work
 * that can wait asks before each step, and leaves the rest to another invocation.
 */
export class Allowance {
  statements: number
  requests: number = INVOCATION.requests
  cpuMs: number = INVOCATION.cpuMs
  /** The time after which no step is to be under way, in epoch milliseconds. */
  readonly #endsMs: number
  /** The names of the steps that were left to another invocation. */
  readonly left = new Set<string>()
  /** True if statements beyond what is left fail. */
  readonly isStrict: boolean

  constructor({
    statements = INVOCATION.statements,
    isStrict = false,
    endsMs = Number.POSITIVE_INFINITY,
  }: { statements?: number; isStrict?: boolean; endsMs?: number } = {}) {
    this.statements = statements
    this.#endsMs = endsMs
    this.isStrict = isStrict
  }

  /** Tells whether there is enough for a step. */
  has({ statements = 0, requests = 0, cpuMs = 0, ms = 0 }: Cost): boolean {
    return (
      statements <= this.statements &&
      requests <= this.requests &&
      cpuMs <= this.cpuMs &&
      Date.now() + ms <= this.#endsMs
    )
  }

  /** Tells whether there is enough for a step. If not, its name is noted. */
  begin(name: string, cost: Cost): boolean {
    const may = this.has(cost)
    if (!may) this.left.add(name)
    return may
  }

  /**
   * Takes the CPU of a step that is done, by its size as it was measured: the clock of a Worker stands still while it computes. A large
   * step may take more than there is, and no other one begins after it.
   */
  spend(cpuMs: number): void {
    this.cpuMs -= cpuMs
  }

  /** Does something that may take no more than a part of what is left. */
  async within<T>({ statements = 0, requests = 0 }: Cost, work: () => Promise<T>): Promise<T> {
    const kept = {
      statements: Math.max(0, this.statements - statements),
      requests: Math.max(0, this.requests - requests),
    }
    this.statements -= kept.statements
    this.requests -= kept.requests
    try {
      return await work()
    } finally {
      this.statements += kept.statements
      this.requests += kept.requests
    }
  }

  /** Counts statements that are about to be sent. @throws OutOfAllowance if they are too many, and this is strict */
  takeStatements(count: number): void {
    if (this.isStrict && count > this.statements) throw new OutOfAllowance()
    this.statements -= count
  }
}
