import { useState } from "react";
import { Client, Status } from "./client";

interface Props {
  client: Client;
  depot: string;
  onRecorded: (number: string) => void;
}

export function ScanForm({ client, depot, onRecorded }: Props) {
  const [number, setNumber] = useState("");
  const [status, setStatus] = useState<Status>("in-transit");
  const [problem, setProblem] = useState("");

  function submit() {
    console.log("scan submitted at", depot);
    client
      .record(number.trim().toUpperCase(), { depot, status })
      .then(() => {
        setNumber("");
        setProblem("");
        onRecorded(number);
      })
      .catch((error) => {
        console.log("scan refused:", error.message);
        setProblem(error.message);
      });
  }

  return (
    <form onSubmit={(event) => { event.preventDefault(); submit(); }}>
      <input value={number} onChange={(event) => setNumber(event.target.value)} placeholder="RR123456785DE" />
      <select value={status} onChange={(event) => setStatus(event.target.value as Status)}>
        <option value="in-transit">In transit</option>
        <option value="out-for-delivery">Out for delivery</option>
        <option value="delivered">Delivered</option>
        <option value="returned">Returned</option>
      </select>
      <button type="submit" disabled={number == ""}>Record</button>
      {problem != "" && <p role="alert">{problem}</p>}
    </form>
  );
}
