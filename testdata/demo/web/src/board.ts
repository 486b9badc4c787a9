import { Client, Parcel, ServiceError } from "./client";
import { lastScan, since, statusLabel, weight } from "./format";

const refreshEvery = 30_000;

export class Board {
  private parcels: Parcel[] = [];
  private timer: number | undefined;

  constructor(private readonly client: Client, private readonly table: HTMLTableSectionElement) {}

  start(): void {
    console.log("board started, refreshing every", refreshEvery, "ms");
    this.refresh();
    this.timer = window.setInterval(() => this.refresh(), refreshEvery);
  }

  stop(): void {
    console.log("board stopped");
    window.clearInterval(this.timer);
    this.timer = undefined;
  }

  refresh(): Promise<void> {
    return this.client
      .open()
      .then((parcels) => {
        console.log("parcels on their way:", parcels.length);
        this.parcels = parcels;
        this.render();
      })
      .catch((problem) => {
        if (problem instanceof ServiceError && problem.status == 401) {
          console.log("signed out");
          this.stop();
          return;
        }
        console.log("refresh failed:", problem.message);
      });
  }

  private render(): void {
    const rows = this.parcels.map((parcel) => this.row(parcel));
    this.table.replaceChildren(...rows);
  }

  private row(parcel: Parcel): HTMLTableRowElement {
    const row = document.createElement("tr");
    const scan = lastScan(parcel);
    const cells = [
      parcel.number,
      parcel.recipient,
      weight(parcel.grams),
      statusLabel(parcel),
      scan == undefined ? "" : `${scan.depot}, ${since(scan.at)}`,
    ];
    for (const text of cells) {
      row.insertCell().textContent = text;
    }
    row.addEventListener("click", () => {
      this.client.parcel(parcel.number).then((fresh) => console.log("selected", fresh.number, fresh.scans));
    });
    return row;
  }
}
