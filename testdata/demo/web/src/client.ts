// The service's HTTP interface, as the board needs it.

export type Status = "announced" | "in-transit" | "out-for-delivery" | "delivered" | "returned";

export interface Scan {
  depot: string;
  status: Status;
  at: string;
}

export interface Parcel {
  number: string;
  recipient: string;
  grams: number;
  scans: Scan[] | null;
  fee: number;
}

export class ServiceError extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

export class Client {
  constructor(private readonly base: string) {}

  open(): Promise<Parcel[]> {
    return this.request("GET", "/parcels").then((body) => body as Parcel[]);
  }

  parcel(number: string): Promise<Parcel> {
    return this.request("GET", `/parcels/${encodeURIComponent(number)}`).then((body) => body as Parcel);
  }

  record(number: string, scan: Omit<Scan, "at">): Promise<Scan> {
    console.log("recording scan", number, scan.depot, scan.status);
    return this.request("POST", `/parcels/${encodeURIComponent(number)}/scans`, scan).then((body) => body as Scan);
  }

  private request(method: string, path: string, body?: unknown): Promise<unknown> {
    const init: RequestInit = { method };
    if (body !== undefined) {
      init.body = JSON.stringify(body);
      init.headers = { "Content-Type": "application/json" };
    }
    return fetch(this.base + path, init).then((response) => {
      if (!response.ok) {
        console.log("request failed", method, path, response.status);
        return response.json().then((problem) => {
          throw new ServiceError(response.status, problem.error);
        });
      }
      return response.json();
    });
  }
}
